import { html, nothing, type TemplateResult } from 'lit-html'
import type { RecordJson } from '../api/json.ts'
import { createClientBox } from '../fields/client-box.ts'
import { createClientNames } from '../fields/client-names.ts'
import { filterFields, recordFields } from '../fields/fields.ts'
import { createLoader, showLoaded } from '../frame/loader.ts'
import type { Page, PageContext } from '../frame/page.ts'
import type { RecordKind } from '../records/kinds.ts'
import { createDownload } from './download.ts'
import { offsetOf, PAGE_SIZE, rangeText } from './paging.ts'
import { createSearchBar } from './search-bar.ts'
import { showPaging } from './show-paging.ts'
import { showTable } from './table.ts'

interface ListedPage {
  readonly records: readonly RecordJson[]
  readonly total: number
  readonly offset: number
}

/** The list of one kind of record. */
export function listPage(kind: RecordKind): (context: PageContext) => Page {
  return (context) => openList(kind, context)
}

function openList(kind: RecordKind, context: PageContext): Page {
  const { api, document, query, signal, update, announce, link, may } = context
  const path = `/${kind.many}`
  const filters = filterFields(document, path)
  const columns = recordFields(document, kind.schema, kind.creation).filter(
    ({ name }) => !kind.notInList.includes(name),
  )
  const clientColumns = columns.filter(({ kind }) => kind === 'client')
  const clientNames = createClientNames(api, context)
  const clientBox = createClientBox({ ...context, names: clientNames })
  const { filtersOf, view: searchBar } = createSearchBar(context, { filters, searched: kind.searched, clientBox })
  const { save, isSaving, problem } = createDownload(context)

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
    view: () => html`
      ${problem()}
      ${searchBar()}
      ${showLoaded(page, table)}
    `,
    actions: () => html`
      ${document.offers(`${path}.csv`, 'GET') ? html`<button type="button" @click=${() => save(`${kind.many}.csv`, filtersOf(), `${kind.many}.csv`)} ?disabled=${isSaving()}>${isSaving() ? 'Saving…' : 'Save as CSV'}</button>` : nothing}
      ${kind.creation !== undefined && may(path, 'POST') ? html`<a class="button primary" href=${link(`${path}/new`)}>New ${kind.one}</a>` : nothing}
    `,
    queryChanged: () => void page.load(),
  }
}
