import { html, nothing, type TemplateResult } from 'lit-html'
import type { RecordJson } from '../api/json.ts'
import { isAbort } from '../api/problem.ts'
import { createClientBox } from '../fields/client-box.ts'
import { createClientNames } from '../fields/client-names.ts'
import { type Field, filterFields, recordFields } from '../fields/fields.ts'
import { createLoader, showLoaded, showProblem } from '../frame/loader.ts'
import type { Page, PageContext } from '../frame/page.ts'
import type { RecordKind } from '../records/kinds.ts'
import { debounced } from './debounce.ts'
import { saveFile } from './download.ts'
import { showFilter } from './filters.ts'
import { offsetOf, PAGE_SIZE, rangeText } from './paging.ts'
import { showPaging } from './show-paging.ts'
import { showTable } from './table.ts'

interface ListedPage {
  readonly records: readonly RecordJson[]
  readonly total: number
  readonly offset: number
}

/** How long somebody pauses in typing before the list is searched, in milliseconds. */
const PAUSE = 200

/** The list of one kind of record. */
export function listPage(kind: RecordKind): (context: PageContext) => Page {
  return (context) => openList(kind, context)
}

function openList(kind: RecordKind, context: PageContext): Page {
  const { api, document, query, signal, update, announce, setQuery, link, may } = context
  const path = `/${kind.many}`
  const filters = filterFields(document, path)
  const columns = recordFields(document, kind.schema, kind.creation).filter(
    ({ name }) => !kind.notInList.includes(name),
  )
  const clientColumns = columns.filter(({ kind }) => kind === 'client')
  const clientNames = createClientNames(api, context)
  const clientBox = createClientBox({ ...context, names: clientNames })
  const isFiltered = () => filters.some(({ name }) => query()[name])
  /** A filter that applies is never folded away; one that was cleared stays where it was. */
  let showsFilters = isFiltered()
  let isSaving = false
  let problemOfFile: unknown

  const page = createLoader<ListedPage>(
    async (signal) => {
      const offset = offsetOf(query().offset)
      const { body } = await api.get(kind.many, { query: { ...filtersOf(), limit: PAGE_SIZE, offset }, signal })
      const records: readonly RecordJson[] = body[kind.many]
      // The names may come later than the rows.
      void clientNames.load(records.flatMap((record) => clientColumns.map(({ name }) => record[name])))
      const { total } = body
      announce(rangeText({ offset, shown: records.length, total }, navigator.languages))
      return { records, total, offset }
    },
    { signal, update },
  )
  void page.load()

  /** The search and the filters in the address: those that the API knows. */
  function filtersOf(): Record<string, string | undefined> {
    const names = ['search', ...filters.map(({ name }) => name)]
    return Object.fromEntries(names.map((name) => [name, query()[name]]))
  }

  /** What was typed, perhaps in several fields, since the list was last searched. */
  let typed: Record<string, string | undefined> = {}
  function applyTyped(): void {
    if (Object.keys(typed).length > 0) setQuery({ ...typed, offset: undefined }, 'replace')
    typed = {}
  }
  const applySoon = debounced(applyTyped, PAUSE)

  function filter(name: string, value: string, apply: () => void): void {
    typed[name] = value === '' ? undefined : value
    apply()
  }

  async function saveCsv(): Promise<void> {
    isSaving = true
    problemOfFile = undefined
    update()
    try {
      const file = await api.file(`${kind.many}.csv`, { query: { ...filtersOf(), bom: 'true' }, signal })
      saveFile(file, `${kind.many}.csv`)
      announce('The file is saved.')
    } catch (error) {
      if (!isAbort(error)) problemOfFile = error
    }
    isSaving = false
    update()
  }

  function view(): TemplateResult {
    return html`
      ${problemOfFile === undefined ? nothing : showProblem(problemOfFile)}
      <search class="filters">
        <div class="filter search">
          <label for="search">Search</label>
          <input id="search" type="search" maxlength="200" autocomplete="off" spellcheck="false" placeholder=${kind.searched}
            .value=${query().search ?? ''} @input=${(event: Event) => filter('search', (event.target as HTMLInputElement).value, applySoon)}>
        </div>
        ${
          filters.length === 0
            ? nothing
            : html`<details class="more-filters" ?open=${showsFilters}>
          <summary>More filters</summary>
          <div class="filter-fields">${filters.map(filterControl)}</div>
        </details>`
        }
      </search>
      ${showLoaded(page, table)}
    `
  }

  function filterControl(field: Field): TemplateResult {
    const changed = (value: string) => filter(field.name, value, field.kind === 'text' ? applySoon : applyTyped)
    return showFilter(field, { value: query()[field.name], changed, clientBox })
  }

  function table({ records, total, offset }: ListedPage): TemplateResult {
    const range = { offset, shown: records.length, total }
    const linkOf = (record: RecordJson) => link(`${path}/${record[kind.id]}`)
    return html`<div class="results">
      <p class="range">${rangeText(range, navigator.languages)}</p>
      ${records.length === 0 ? clientSearch() : showTable({ caption: kind.title, columns, records, linked: kind.linked, linkOf, show: { clientName: clientNames.of, link } })}
      ${showPaging(range, (to) => link(path, { ...query(), offset: to === 0 ? undefined : String(to) }))}
    </div>`
  }

  /** Where nothing is found, what was meant may be a client, whose name the search doesn't cover. */
  function clientSearch(): TemplateResult | typeof nothing {
    const { search, clientName } = query()
    if (!search || clientName || !filters.some(({ name }) => name === 'clientName')) return nothing
    const href = link(path, { ...query(), search: undefined, clientName: search, offset: undefined })
    return html`<p>The search doesn’t cover clients. <a href=${href}>Find ${kind.many} of clients with “<bdi>${search}</bdi>” in their name</a></p>`
  }

  return {
    title: () => kind.title,
    view,
    actions: () => html`
      ${document.offers(`${path}.csv`, 'GET') ? html`<button type="button" @click=${saveCsv} ?disabled=${isSaving}>${isSaving ? 'Saving…' : 'Save as CSV'}</button>` : nothing}
      ${kind.creation !== undefined && may(path, 'POST') ? html`<a class="button primary" href=${link(`${path}/new`)}>New ${kind.one}</a>` : nothing}
    `,
    queryChanged() {
      showsFilters ||= isFiltered()
      void page.load()
    },
  }
}
