import { html, nothing, type TemplateResult } from 'lit-html'
import type { ClientBox } from '../fields/client-box.ts'
import type { Field } from '../fields/fields.ts'
import type { PageContext } from '../frame/page.ts'
import { text } from '../languages/texts.ts'
import { debounced } from './debounce.ts'
import { foldedFilters, showFilter } from './filters.ts'

/** How long after the last keystroke the list is searched, in milliseconds. */
const PAUSE = 200

interface SearchBarOptions {
  readonly filters: readonly Field[]
  /** What the search covers. */
  readonly searched: string
  readonly clientBox: ClientBox
}

/** The search and the filters of a list, which are in the address. */
export function createSearchBar({ query, setQuery }: PageContext, { filters, searched, clientBox }: SearchBarOptions) {
  /** What was typed, perhaps in several fields, since the list was last searched. */
  let typed: Record<string, string | undefined> = {}
  /** A filter that applies is never folded away; one that was cleared stays where it was. */
  let showsFilters = false

  function applyTyped(): void {
    if (Object.keys(typed).length > 0) setQuery({ ...typed, offset: undefined }, 'replace')
    typed = {}
  }
  const applySoon = debounced(applyTyped, PAUSE)

  function filter(name: string, value: string, apply: () => void): void {
    typed[name] = value === '' ? undefined : value
    apply()
  }

  function filterControl(field: Field): TemplateResult {
    const changed = (value: string) => filter(field.name, value, field.kind === 'text' ? applySoon : applyTyped)
    return showFilter(field, { value: query()[field.name], changed, clientBox })
  }

  return {
    /** The search and the filters in the address: those that the API knows. */
    filtersOf(): Record<string, string | undefined> {
      const names = ['search', ...filters.map(({ name }) => name)]
      return Object.fromEntries(names.map((name) => [name, query()[name]]))
    },
    view(): TemplateResult {
      showsFilters ||= filters.some(({ name }) => query()[name])
      return html`<search class="filters">
        <div class="filter search">
          <label for="search">${text('word.search')}</label>
          <input id="search" type="search" aria-keyshortcuts="/" maxlength="200" autocomplete="off" spellcheck="false" placeholder=${searched}
            .value=${query().search ?? ''} @input=${(event: Event) => filter('search', (event.target as HTMLInputElement).value, applySoon)}>
        </div>
        ${filters.length === 0 ? nothing : foldedFilters(showsFilters, filters.map(filterControl))}
      </search>`
    },
  }
}
