import { html, nothing, type TemplateResult } from 'lit-html'
import type { RecordJson } from '../api/json.ts'
import { createClientBox } from '../fields/client-box.ts'
import { createClientNames } from '../fields/client-names.ts'
import { type Field, filterFields, recordFields } from '../fields/fields.ts'
import { showValue } from '../fields/show.ts'
import { showLoaded } from '../frame/loader.ts'
import type { Page, PageContext } from '../frame/page.ts'
import { text } from '../languages/texts.ts'
import { kindText, type RecordKind } from '../records/kinds.ts'
import type { FileColumn } from '../sheets/csv-table.ts'
import { createDownload } from './download.ts'
import { createListSum } from './list-sum.ts'
import { openPaged, type Paged, type Rows, showPaging } from './paged.ts'
import { rangeText } from './paging.ts'
import { createSearchBar } from './search-bar.ts'
import { createSearchOffers } from './search-offers.ts'
import { type Column, showTable } from './table.ts'

/** The list of one kind of record. */
export function listPage(kind: RecordKind, context: PageContext): Page {
  const { api, document, link, may } = context
  const path = `/${kind.many}`
  const file = `${kind.many}.csv`
  const filters = filterFields(document, path)
  const allFields = recordFields(document, kind.schema, kind.creation)
  const fields = allFields.filter(({ name }) => !kind.notInList.includes(name))
  const clientColumns = fields.filter(({ kind }) => kind === 'client')
  const clientNames = createClientNames(context)
  const clientBox = createClientBox(context, clientNames)
  const { filtersOf, view: searchBar } = createSearchBar(context, { filters, searched: kind.searched, clientBox })
  const download = createDownload(context)
  const sheetColumns = sheetColumnsOf(allFields, kind.notInList)
  const offers = kind.report === undefined ? undefined : createSearchOffers(context)
  const sum = kind.report === undefined ? undefined : createListSum(context, kind.report, filtersOf)

  const page = openPaged<Rows<RecordJson>>(context, async (page, signal) => {
    offers?.load()
    const { [kind.many]: rows, total } = await api.get(kind.many, { query: { ...filtersOf(), ...page }, signal })
    void sum?.load()
    // The names may come later than the rows.
    void clientNames.load(rows.flatMap((record: RecordJson) => clientColumns.map(({ name }) => record[name])))
    return { rows, total }
  })

  const naming = fields.findIndex(({ name }) => name === kind.linked)
  function column(field: Field, at: number): Column<RecordJson> {
    const value = (record: RecordJson) => showValue(field, record[field.name], { clientName: clientNames.of, link })
    const linked = (record: RecordJson) => html`<a href=${link(`${path}/${record[kind.id]}`)}>${value(record)}</a>`
    return [field.label, at === naming ? linked : value, `${field.kind} of-${field.name}`]
  }

  function table({ rows, range }: Paged<Rows<RecordJson>>): TemplateResult {
    return html`<div class="results">
      <p class="range">${range.total > 1 ? text('lists.newestFirst', { range: rangeText(range) }) : rangeText(range)} ${sum?.view(range.total)}</p>
      ${offers?.view()}
      ${rows.length === 0 ? nothing : showTable({ caption: kind.title, kind: `list-${kind.many}`, columns: fields.map(column), rows, naming })}
      ${showPaging(range, context)}
    </div>`
  }

  return {
    title: () => kind.title,
    view: () => html`
      ${download.problem()}
      ${searchBar()}
      ${showLoaded(page, table)}
    `,
    actions: () => html`
      ${may(`/${file}`, 'GET') ? download.button({ path: file, query: filtersOf(), name: kind.many, sheet: { title: kind.title, columns: sheetColumns, rows: page.value()?.range.total } }) : nothing}
      ${kind.several !== undefined && may(`/${file}`, 'POST') ? html`<a class="button" href=${link(kind.several.path)}>${kind.several.label}</a>` : nothing}
      ${kind.creation !== undefined && may(path, 'POST') ? html`<a class="button primary" aria-keyshortcuts="n" href=${link(`${path}/new`)}>${kindText('kind.new', kind)}</a>` : nothing}
    `,
    queryChanged: () => void page.load(),
  }
}

/** The columns of a list's spreadsheet: all fields except ids that the list doesn't show, with clients by name. */
function sheetColumnsOf(fields: readonly Field[], notInList: readonly string[]): readonly FileColumn[] {
  return fields
    .filter(({ kind, name }) => !['id', 'client', 'business'].includes(kind) || !notInList.includes(name))
    .map(({ name, label, kind }) => ({
      heading: label,
      type: kind,
      from: kind === 'client' ? ['client', name] : [name],
    }))
}
