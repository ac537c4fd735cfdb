import { html, nothing, type TemplateResult } from 'lit-html'
import { fetchClosing } from '../closing/closings.ts'
import { decimals } from '../format/formats.ts'
import { openLoader, showLoaded } from '../frame/loader.ts'
import type { Page, PageContext } from '../frame/page.ts'
import { parts, text } from '../languages/texts.ts'
import { isNarrow } from '../lists/table.ts'
import { byMonth, type FigureOptions, type Months } from './by-month.ts'
import { createFigures, showChange, showCount } from './figures.ts'
import { firstSteps } from './first-steps.ts'
import { byClient, byType, type Grouping } from './groups.ts'
import { monthRows, totalOf } from './month-rows.ts'
import { isComparable, yearBefore } from './period.ts'
import { createReportFile } from './report-file.ts'
import { createReportFilters, scopeText } from './report-filters.ts'
import { addressOf, fetchReport, linesAddress, MAX_LIMIT, type Report, type ReportFilters } from './reports.ts'
import { showSums } from './sums-table.ts'

/** How many clients and types are shown; separate pages have all of them. */
const MAX_ROWS = 10
/** How many of these a phone shows at once. */
const ROWS_ON_PHONES = 3

/** What the overview shows. */
interface Overview extends Months {
  readonly clients: Report<'clientId'>
  readonly types: Report<'serviceType'>
}

/** What was billed: by month, compared with the year before, by client and by type. */
export function overviewPage(context: PageContext): Page {
  const { api, announce } = context
  const figures = createFigures(context)
  const controls = createReportFilters(context)
  const file = createReportFile(context)
  const overview = openLoader(load, context)

  async function load(signal: AbortSignal): Promise<Overview> {
    const filters = controls.current()
    const earlier = yearBefore(filters)
    const months = await fetchReport(api, 'month', { filters, limit: MAX_LIMIT, signal })
    // Figures as of different moments might not agree.
    const pinned = { ...filters, asOf: months.asOf }
    const [previous, clients, types, { closedThrough }] = await Promise.all([
      earlier && fetchReport(api, 'month', { filters: { ...pinned, ...earlier }, limit: MAX_LIMIT, signal }),
      fetchReport(api, 'clientId', { filters: pinned, limit: MAX_ROWS, signal }),
      fetchReport(api, 'serviceType', { filters: pinned, limit: MAX_ROWS, signal }),
      fetchClosing(api, filters.asOf, signal),
    ])
    announce(text('overview.said', { count: months.sums.count, amount: decimals.rounded(months.sums.billed) }))
    const [before, today] = [previous?.rows ?? [], controls.today()]
    const rows = monthRows({ period: filters, months: months.rows, before, closedThrough, today })
    return { filters: pinned, asOf: months.asOf, rows, closedThrough, clients, types }
  }

  function report(shown: Overview): TemplateResult {
    const { filters, asOf, rows, clients, types } = shown
    if (rows.every(({ sums, before }) => sums.count + before.count === 0)) return firstSteps(context, filters)
    const options = { figures, file, context }
    return html`<div class="report">
      <p class="range">${scopeText(filters, asOf)}</p>
      ${tiles(shown, options)}
      ${byMonth(shown, options)}
      ${grouped(byClient, clients, filters, options)}
      ${grouped(byType, types, filters, options)}
    </div>`
  }

  return {
    title: () => text('overview.title'),
    view: () => html`${controls.view()}${file.problem()}${showLoaded(overview, report)}`,
    actions: figures.toggle,
    queryChanged: () => void overview.load(),
    followsAsOf: true,
  }
}

/** The sums of the whole period, at a glance. */
function tiles({ filters, asOf, rows }: Months, { figures, context }: FigureOptions): TemplateResult {
  const { sums } = totalOf(rows)
  const { difference, change } = totalOf(rows.filter(({ isToCome }) => !isToCome))
  const href = linesAddress(context, filters, asOf)
  const against = { difference: figures.total(difference, { isDifference: true }), change: showChange(change) }
  const isCompared = isComparable(filters) && change !== undefined
  const tile = (label: string, figure: unknown, more: unknown = nothing) =>
    html`<div><dt>${label}</dt><dd class="tile">${figure}${more}</dd></div>`
  return html`<dl class="tiles">
    ${tile(text('overview.billed'), figures.total(sums, { href }), isCompared ? html`<span class="against">${parts('overview.against', against)}</span>` : nothing)}
    ${tile(text('overview.fees'), figures.amount(sums.serviceFee, { href, isRepeated: true }))}
    ${tile(text('word.tax'), figures.tax(sums, { href, isRepeated: true }))}
    ${tile(text('kind.title.contracts'), showCount(sums.count, href, true))}
  </dl>`
}

function grouped<By extends 'clientId' | 'serviceType'>(
  grouping: Grouping<By>,
  report: Report<By>,
  filters: ReportFilters,
  { figures, file, context }: FigureOptions,
): TemplateResult {
  const { groupBy, title, all, path } = grouping
  const toAll = addressOf(path, context, filters, report.asOf)
  return html`<section aria-labelledby=${groupBy}>
    <div class="section-head"><h2 id=${groupBy}>${title}</h2>${file.button(groupBy, filters, report.total)}</div>
    ${showSums(grouping, report, { filters, figures, context, shown: isNarrow() ? ROWS_ON_PHONES : MAX_ROWS })}
    ${report.total > report.rows.length ? html`<p class="lead-on"><a href=${toAll}>${text(all, { count: report.total })}</a></p>` : ''}
  </section>`
}
