import { html, nothing, type TemplateResult } from 'lit-html'
import { decimals } from '../format/formats.ts'
import type { PageContext } from '../frame/page.ts'
import { text } from '../languages/texts.ts'
import { PAGE_SIZES, type Range, sizeOf, stepsFrom } from './paging.ts'

/** Links to the other pages of a list, with the search and the filters in the address, and a choice of page sizes. */
export function showPaging(
  range: Range,
  { here, query, setQuery }: PageContext,
  sizes = PAGE_SIZES,
): TemplateResult | typeof nothing {
  const chosen = sizeOf(query().rows, sizes)
  const { first, previous, next, last } = stepsFrom(range, chosen)
  const item = (label: string, offset: number | undefined) =>
    offset === undefined
      ? html`<li><span class="disabled" aria-disabled="true">${label}</span></li>`
      : html`<li><a href=${here({ offset: offset === 0 ? undefined : String(offset) })}>${label}</a></li>`
  const choose = (event: Event) => setQuery({ rows: (event.target as HTMLSelectElement).value, offset: undefined })
  if (range.total <= Math.min(...sizes) && range.offset === 0) return nothing
  return html`<nav class="paging" aria-label=${text('lists.pages')}>
    <ul>${item(text('lists.first'), first)}${item(text('lists.previous'), previous)}${item(text('lists.next'), next)}${item(text('lists.last'), last)}</ul>
    <label>${text('lists.rows')}
      <select @change=${choose}>${sizes.map((size) => html`<option value=${size} ?selected=${size === chosen}>${decimals.plain(size)}</option>`)}</select>
    </label>
  </nav>`
}
