import { html, nothing, type TemplateResult } from 'lit-html'
import type { PageContext } from '../frame/page.ts'
import { text } from '../languages/texts.ts'
import { PAGE_SIZE, type Range, stepsFrom } from './paging.ts'

/** Links to the other pages of a list, with the search and the filters that the address has. */
export function showPaging(range: Range, path: string, { link, query }: PageContext): TemplateResult | typeof nothing {
  const { first, previous, next, last } = stepsFrom(range)
  const item = (label: string, offset: number | undefined) =>
    offset === undefined
      ? html`<li><span class="disabled" aria-disabled="true">${label}</span></li>`
      : html`<li><a href=${link(path, { ...query(), offset: offset === 0 ? undefined : String(offset) })}>${label}</a></li>`
  if (range.total <= PAGE_SIZE && range.offset === 0) return nothing
  return html`<nav class="paging" aria-label=${text('lists.pages')}>
    <ul>${item(text('lists.first'), first)}${item(text('lists.previous'), previous)}${item(text('lists.next'), next)}${item(text('lists.last'), last)}</ul>
  </nav>`
}
