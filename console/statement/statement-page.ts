import { html, type TemplateResult } from 'lit-html'
import { AS_OF } from '../frame/address.ts'
import { createLoader, showLoaded } from '../frame/loader.ts'
import type { Page, PageContext } from '../frame/page.ts'
import { text } from '../languages/texts.ts'
import { createDownload } from '../lists/download.ts'
import { lineColumns } from '../overview/report-file.ts'
import { createReportFilters, datesOf } from '../overview/report-filters.ts'
import { AT } from '../overview/reports.ts'
import { fetchStatement, MAX_LINES, type Statement } from './fetch-statement.ts'
import { usualPeriods } from './periods.ts'
import { nameOf, showStatement } from './show-statement.ts'

/**
 * What a client was billed in a period, for printing. Its address names the days and the moment as of which they are
 * shown, so that it always shows the same.
 */
export function statementPage(context: PageContext): Page {
  const { id: clientId, query, asOf, setQuery } = context
  const download = createDownload(context)
  const filters = createReportFilters(context, { usual: usualPeriods, isOffered: ({ kind }) => kind === 'date' })
  const loader = createLoader<Statement>(
    (signal) => fetchStatement(context, clientId, { filters: filters.current(), signal }),
    context,
  )
  void load()

  async function load(): Promise<void> {
    await loader.load()
    const statement = loader.value()
    if (statement === undefined || loader.isLoading()) return
    const pinned = { ...datesOf(statement.filters), [AT]: asOf() === undefined ? statement.asOf : undefined }
    if (Object.entries(pinned).some(([name, value]) => query()[name] !== value)) setQuery(pinned, 'replace')
  }

  function isShown(): boolean {
    const [wanted, shown] = [filters.current(), loader.value()]
    const { from, to } = shown?.filters ?? {}
    return from === wanted.from && to === wanted.to && shown?.asOf === wanted.asOf && !loader.isLoading()
  }

  function actions({ filters, asOf, total }: Statement): TemplateResult {
    const query = { ...datesOf(filters), clientId, asOf }
    const sheet = { title: text('statement.title'), columns: lineColumns, rows: total }
    return html`
      ${download.button({ path: 'reports/contracts/lines.csv', query, name: 'statement', sheet })}
      <button type="button" @click=${() => setQuery({ [AT]: undefined, [AS_OF]: undefined })}>${text('statement.update')}</button>
      <button type="button" class="primary" ?disabled=${total > MAX_LINES} @click=${() => print()}>${text('statement.print')}</button>`
  }

  return {
    title: () => loader.map((statement) => text('statement.for', { name: nameOf(statement) }), text('statement.title')),
    actions: () => loader.map(actions, html``),
    view: () => html`
      ${download.problem()}
      ${filters.view()}
      <p class="hint lead-on">${text('statement.permanent')}</p>
      ${showLoaded(loader, (statement) => showStatement(statement, context))}`,
    queryChanged() {
      if (!isShown()) void load()
    },
    followsAsOf: true,
  }
}
