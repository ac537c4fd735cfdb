import { html, nothing, type TemplateResult } from 'lit-html'
import { decimals } from '../format/formats.ts'
import { type Loader, openLoader } from '../frame/loader.ts'
import type { PageContext } from '../frame/page.ts'
import { text } from '../languages/texts.ts'
import { PAGE_SIZES, pageIn, type Range, rangeText, sizeOf, stepsFrom } from './paging.ts'

/** Some rows of a list. */
export interface Rows<Row> {
  readonly rows: readonly Row[]
  /** How many there are on all pages. */
  readonly total: number
}

/** A page of a list, and which rows of it that are. */
export type Paged<Page> = Page & { readonly range: Range }

/** Loads the page of a list that the address asks for, and has screen readers announce which rows it has. */
export function openPaged<Page extends Rows<unknown>>(
  context: PageContext,
  fetchPage: (page: ReturnType<typeof pageIn>, signal: AbortSignal) => Promise<Page>,
  sizes?: readonly number[],
): Loader<Paged<Page>> {
  return openLoader(async (signal) => {
    const page = pageIn(context.query(), sizes)
    const found = await fetchPage(page, signal)
    const range = { offset: page.offset, shown: found.rows.length, total: found.total }
    context.announce(rangeText(range))
    return { ...found, range }
  }, context)
}

/** Says which rows of a list are shown, above their table and the links to the others. */
export function showPaged(range: Range, table: TemplateResult, context: PageContext): TemplateResult {
  return html`<p class="range">${rangeText(range)}</p>
    ${range.shown === 0 ? nothing : table}
    ${showPaging(range, context)}`
}

/** Links to the other pages of a list, with the search and the filters in the address, and a choice of page sizes. */
export function showPaging(
  range: Range,
  { here, query, setQuery }: PageContext,
  sizes = PAGE_SIZES,
): TemplateResult | typeof nothing {
  const chosen = sizeOf(query().rows, sizes)
  const { first, previous, next, last } = stepsFrom(range, chosen)
  // A link that leads nowhere any more keeps the focus.
  const item = (label: string, offset: number | undefined) => {
    const href = offset === undefined ? nothing : here({ offset: offset === 0 ? undefined : String(offset) })
    return html`<li><a role="link" href=${href} aria-disabled=${href === nothing} tabindex=${href === nothing ? -1 : 0}>${label}</a></li>`
  }
  const choose = (event: Event) => setQuery({ rows: (event.target as HTMLSelectElement).value, offset: undefined })
  if (range.total <= Math.min(...sizes) && range.offset === 0) return nothing
  return html`<nav class="paging" aria-label=${text('lists.pages')}>
    <ul>${item(text('lists.first'), first)}${item(text('lists.previous'), previous)}${item(text('lists.next'), next)}${item(text('lists.last'), last)}</ul>
    <label>${text('lists.rows')}
      <select @change=${choose}>${sizes.map((size) => html`<option value=${size} ?selected=${size === chosen}>${decimals.plain(size)}</option>`)}</select>
    </label>
  </nav>`
}
