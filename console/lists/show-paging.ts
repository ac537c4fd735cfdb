import { html, nothing, type TemplateResult } from 'lit-html'
import { decimals } from '../format/formats.ts'
import type { PageContext } from '../frame/page.ts'
import { text } from '../languages/texts.ts'
import { PAGE_SIZE, type Range, sizeOf, stepsFrom } from './paging.ts'

/**
 * Links to the other pages of a list, with the search and the filters in the address, and a choice of page sizes if there
 * are several.
 */
export function showPaging(
  range: Range,
  { here, query, setQuery }: PageContext,
  sizes: readonly number[] = [PAGE_SIZE],
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
    ${
      sizes.length === 1
        ? nothing
        : html`<label>${text('lists.rows')}
      <select @change=${choose}>${sizes.map((size) => html`<option value=${size} ?selected=${size === chosen}>${decimals.plain(size)}</option>`)}</select>
    </label>`
    }
  </nav>`
}
