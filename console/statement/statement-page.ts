import { html, nothing, type TemplateResult } from 'lit-html'
import { dayOf, momentOf } from '../format/dates.ts'
import { AS_OF } from '../frame/address.ts'
import { createLoader, showLoaded } from '../frame/loader.ts'
import type { Page, PageContext } from '../frame/page.ts'
import { text } from '../languages/texts.ts'
import { createDownload } from '../lists/download.ts'
import { lineColumns } from '../overview/report-file.ts'
import { fetchStatement, MAX_LINES, type Statement } from './fetch-statement.ts'
import { type StatementPeriod, statementPeriod, usualPeriods } from './periods.ts'
import { nameOf, showStatement } from './show-statement.ts'

/**
 * What a client was billed in a period, for paper. Its address names the days and the moment as of which they are
 * shown, so that it shows the same for ever.
 */
export function statementPage(context: PageContext): Page {
  const { parameters, query, asOf, setQuery } = context
  const clientId = parameters.id ?? ''
  const download = createDownload(context)
  const today = () => dayOf(new Date())
  const chosen = () => ({ ...statementPeriod(query(), today()), asOf: asOf() ?? momentOf(query().at ?? '', LATEST) })
  const loader = createLoader<Statement>(
    (signal) => fetchStatement(context, { clientId, ...chosen(), signal }),
    context,
  )
  void load()

  async function load(): Promise<void> {
    await loader.load()
    const statement = loader.value()
    if (statement === undefined || loader.isLoading()) return
    const { from, to } = statement
    const address = { from, to, at: asOf() === undefined ? statement.asOf : undefined }
    if (Object.entries(address).some(([name, value]) => query()[name] !== value)) setQuery(address, 'replace')
  }

  function isShown(): boolean {
    const [wanted, shown] = [chosen(), loader.value()]
    return shown?.from === wanted.from && shown.to === wanted.to && shown.asOf === wanted.asOf && !loader.isLoading()
  }

  function choosePeriod({ from, to }: StatementPeriod): void {
    setQuery({ from, to })
  }

  function periods(): TemplateResult {
    const { from, to } = chosen()
    const shortcut = (period: StatementPeriod & { readonly label: string }) =>
      html`<button type="button" aria-pressed=${period.from === from && period.to === to ? 'true' : 'false'}
        @click=${() => choosePeriod(period)}>${period.label}</button>`
    const day = (id: string, label: string, value: string, period: (day: string) => StatementPeriod) =>
      html`<div class="filter"><label for=${id}>${label}</label>
        <input id=${id} type="date" required .value=${value} @change=${(event: Event) => typed(event, period)}></div>`
    return html`<search class="filters report-filters">
      <div class="periods" role="group" aria-label=${text('statement.period')}>${usualPeriods(today()).map(shortcut)}</div>
      <div class="filter-fields">
        ${day('from', text('statement.from'), from, (from) => ({ from, to }))}
        ${day('to', text('statement.to'), to, (to) => ({ from, to }))}
      </div>
      <p class="hint">${text('statement.permanent')}</p>
    </search>`
  }

  function typed(event: Event, period: (day: string) => StatementPeriod): void {
    const { value, validity } = event.target as HTMLInputElement
    if (validity.valid) choosePeriod(period(value))
  }

  function actions(): TemplateResult | typeof nothing {
    const statement = loader.value()
    if (statement === undefined) return nothing
    const { from, to, asOf, total } = statement
    const query = { clientId, serviceDateFrom: from, serviceDateTo: to, asOf }
    const sheet = { title: text('statement.title'), name: 'statement', columns: lineColumns, rows: total }
    const file = { path: 'reports/contracts/lines.csv', query, name: `statement-${from}-${to}.csv`, sheet }
    return html`
      ${download.button(file)}
      <button type="button" @click=${() => setQuery({ at: undefined, [AS_OF]: undefined })}>${text('statement.update')}</button>
      <button type="button" class="primary" ?disabled=${total > MAX_LINES} @click=${() => print()}>${text('statement.print')}</button>`
  }

  return {
    title: () => {
      const statement = loader.value()
      return statement ? text('statement.for', { name: nameOf(statement) }) : text('statement.title')
    },
    actions: () => html`${actions()}`,
    view: () =>
      html`${download.problem()}${periods()}${showLoaded(loader, (statement) => showStatement(statement, context))}`,
    queryChanged() {
      if (!isShown()) void load()
    },
    followsAsOf: true,
  }
}

/** Whether a moment of an address has passed is for Mint to say, whose clock counts. */
const LATEST = new Date('9999-12-31')
