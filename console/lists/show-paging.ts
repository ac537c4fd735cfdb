import { html, nothing, type TemplateResult } from 'lit-html'
import { PAGE_SIZE, type Range, stepsFrom } from './paging.ts'

/** Links to the other pages of a list. */
export function showPaging(range: Range, link: (offset: number) => string): TemplateResult | typeof nothing {
  const { first, previous, next, last } = stepsFrom(range)
  const item = (label: string, offset: number | undefined) =>
    offset === undefined
      ? html`<li><span class="disabled" aria-disabled="true">${label}</span></li>`
      : html`<li><a href=${link(offset)}>${label}</a></li>`
  if (range.total <= PAGE_SIZE && range.offset === 0) return nothing
  return html`<nav class="paging" aria-label="Pages of the list">
    <ul>${item('First', first)}${item('Previous', previous)}${item('Next', next)}${item('Last', last)}</ul>
  </nav>`
}
