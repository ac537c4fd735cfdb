import { html, nothing, type TemplateResult } from 'lit-html'
import { fetchClosing } from '../closing/closings.ts'
import { showAmount } from '../fields/show.ts'
import { dayOf } from '../format/dates.ts'
import { createLoader, showLoaded } from '../frame/loader.ts'
import type { PageContext } from '../frame/page.ts'
import { text } from '../languages/texts.ts'
import { showTable } from '../lists/table.ts'
import { byMonth, type Months } from '../overview/by-month.ts'
import { createFigures } from '../overview/figures.ts'
import { columnsOfLines } from '../overview/lines-table.ts'
import { monthRows } from '../overview/month-rows.ts'
import { yearOf } from '../overview/period.ts'
import { createReportFile } from '../overview/report-file.ts'
import { fetchLines, fetchReport, type Line, MAX_LIMIT } from '../overview/reports.ts'
import type { RecordPanel } from '../records/record-page.ts'

const MAX_SHOWN = 10

interface Billed extends Months {
  /** How many contracts the client has. */
  readonly count: number
  /** Newest first. */
  readonly last: readonly Line[]
}

/** What a client was billed: this year compared with the last one, and its last contracts. */
export function createBilling(context: PageContext): RecordPanel {
  const { api, link, may, asOf } = context
  const figures = createFigures(context)
  const file = createReportFile(context)
  let [clientId, moment] = ['', asOf()]
  const billed = createLoader<Billed>(fetchBilled, context)

  async function fetchBilled(signal: AbortSignal): Promise<Billed> {
    const today = dayOf(moment === undefined ? new Date() : new Date(moment))
    const filters = { ...yearOf(today.slice(0, 4)), clientId, asOf: moment }
    const allTime = { ...filters, from: undefined, to: undefined }
    const [report, { closedThrough }] = await Promise.all([
      fetchReport(api, 'month', { filters: allTime, limit: MAX_LIMIT, signal }),
      fetchClosing(api, moment, signal),
    ])
    const { asOf, rows: months } = report
    const rows = monthRows({ period: filters, months, before: months, closedThrough, today })
    const { count } = report.sums
    const last = { filters: { ...allTime, asOf }, limit: MAX_SHOWN, offset: Math.max(0, count - MAX_SHOWN), signal }
    const { lines } = await fetchLines(api, last)
    return { filters: { ...filters, asOf }, asOf, rows, closedThrough, count, last: lines.toReversed() }
  }

  function show(shown: Billed): TemplateResult {
    if (shown.count === 0) return html`<p>${text('billing.none')}</p>`
    return html`<div class="report">${byMonth(shown, { figures, file, context })}${contracts(shown)}</div>`
  }

  function contracts({ count, last }: Billed): TemplateResult {
    const toAll = link('/contracts', { clientId })
    const { date, contract, service, taxPercent } = columnsOfLines(link, text('word.date'))
    return html`<section aria-labelledby="last-contracts">
      <div class="section-head"><h2 id="last-contracts">${text('billing.last')}</h2></div>
      ${showTable<Line>({
        caption: text('billing.last'),
        naming: 2,
        columns: [
          date,
          contract,
          service,
          [text('word.fee'), ({ serviceFee }) => showAmount(serviceFee), 'amount'],
          taxPercent,
          [
            text('field.totalFeeWithTax'),
            ({ billed, totalFeeWithTax }) => showAmount(billed, totalFeeWithTax),
            'amount',
          ],
        ],
        rows: last,
      })}
      ${count > last.length ? html`<p class="lead-on"><a href=${toAll}>${text('billing.all', { count })}</a></p>` : nothing}
    </section>`
  }

  const isOffered = may('/reports/contracts', 'GET')
  return {
    load(record, asOf) {
      ;[clientId, moment] = [record.clientId, asOf]
      if (isOffered) void billed.load()
    },
    view: () => (isOffered ? html`${file.problem()}${showLoaded(billed, show)}` : html``),
    actions: ({ clientId }) => html`
      ${isOffered ? html`${figures.toggle()} <a class="button" href=${link(`/clients/${clientId}/statement`)}>${text('statement.title')}</a>` : nothing}
      ${may('/contracts', 'POST') && asOf() === undefined ? html`<a class="button" href=${link('/contracts/new', { clientId })}>${text('kind.new.contracts')}</a>` : nothing}`,
  }
}
