import { html, type TemplateResult } from 'lit-html'
import { fetchClosing } from '../closing/closings.ts'
import { addMonths } from '../format/calendar.ts'
import { decimals } from '../format/formats.ts'
import { createLoader, showLoaded } from '../frame/loader.ts'
import type { Page, PageContext } from '../frame/page.ts'
import { createFigures } from './figures.ts'
import { firstSteps } from './first-steps.ts'
import { byClient, byType, type Grouping } from './groups.ts'
import { showChart } from './month-chart.ts'
import { type MonthRow, monthRows } from './month-rows.ts'
import { showMonths } from './months-table.ts'
import { daysOfMonth, isComparable, yearBefore } from './period.ts'
import { createReportFile } from './report-file.ts'
import { createReportFilters, scopeText } from './report-filters.ts'
import {
  type ClientSums,
  contractsQuery,
  fetchReport,
  type Report,
  type ReportFilters,
  type TypeSums,
} from './reports.ts'
import type { Sums } from './sums.ts'
import { showSums } from './sums-table.ts'
import { showTiles } from './tiles.ts'

interface Overview {
  readonly filters: ReportFilters
  /** The moment of the report. */
  readonly asOf: string
  readonly rows: readonly MonthRow[]
  readonly closedThrough: string | null
  readonly clients: Report<ClientSums>
  readonly types: Report<TypeSums>
}

/** How many clients and types are shown; a page of their own has all of them. */
const MOST_ROWS = 10
/** As many rows as a report answers at once: the months of eighty years. */
const MOST_MONTHS = 1_000

/** What was billed: by month beside the year before, by client and by type. */
export function overviewPage(context: PageContext): Page {
  const { api, signal, update, link, announce } = context
  const figures = createFigures(update)
  const controls = createReportFilters(context)
  const file = createReportFile(context)
  const overview = createLoader(load, { signal, update })
  void overview.load()

  async function load(signal: AbortSignal): Promise<Overview> {
    const filters = controls.current()
    const before = { ...filters, ...yearBefore(filters) }
    const [months, monthsBefore, clients, types, { closedThrough }] = await Promise.all([
      fetchReport(api, 'month', { filters, limit: MOST_MONTHS, signal }),
      fetchReport(api, 'month', { filters: before, limit: MOST_MONTHS, signal }),
      fetchReport(api, 'clientId', { filters, limit: MOST_ROWS, signal }),
      fetchReport(api, 'serviceType', { filters, limit: MOST_ROWS, signal }),
      fetchClosing(api, filters.asOf, signal),
    ])
    announce(
      `${decimals.plain(months.sums.count)} contracts, ${decimals.rounded(months.sums.totalFeeWithTax)} with tax.`,
    )
    const today = controls.today()
    const rows = monthRows({ period: filters, months: months.rows, before: monthsBefore.rows, closedThrough, today })
    return { filters, asOf: months.asOf, rows, closedThrough, clients, types }
  }

  function report(shown: Overview): TemplateResult {
    const { filters, rows, clients, types } = shown
    if (rows.every(({ sums, before }) => sums.count + before.count === 0)) return firstSteps(context, filters)
    return html`<div class="report" aria-busy=${overview.isLoading() ? 'true' : 'false'}>
      <p class="range">${scopeText(shown.filters, shown.asOf)}</p>
      ${showTiles({ rows, isComparable: isComparable(filters), figures, href: hrefOf(filters) })}
      ${byMonth(shown)}
      ${grouped(byClient, clients, filters)}
      ${grouped(byType, types, filters)}
    </div>`
  }

  function hrefOf(filters: ReportFilters): string {
    return link('/contracts', contractsQuery(filters))
  }

  function byMonth({ filters, rows, closedThrough }: Overview): TemplateResult {
    const hrefOfMonth = (month: string | undefined, year: 'this' | 'before') => {
      const period = year === 'this' ? filters : yearBefore(filters)
      const shown = month && (year === 'this' ? month : addMonths(month, -12))
      return hrefOf({ ...filters, ...(shown === undefined ? period : daysOfMonth(shown, period)) })
    }
    const open = (month: string, year: 'this' | 'before') => location.assign(hrefOfMonth(month, year))
    return html`<section aria-labelledby="by-month">
      <div class="section-head"><h2 id="by-month">By month</h2>${file.button('month', filters)}</div>
      ${showChart({ rows, closedThrough, open })}
      ${showMonths({ rows, isComparable: isComparable(filters), closedThrough, figures, hrefOf: hrefOfMonth })}
    </section>`
  }

  function grouped<Row extends Sums>(
    grouping: Grouping<Row>,
    report: Report<Row>,
    filters: ReportFilters,
  ): TemplateResult {
    const { groupBy, title, many, path } = grouping
    const toAll = link(path, { ...context.query() })
    return html`<section aria-labelledby=${groupBy}>
      <div class="section-head"><h2 id=${groupBy}>${title}</h2>${file.button(groupBy, filters)}</div>
      ${showSums(grouping, report, { figures, hrefOf: (part) => hrefOf({ ...filters, ...part }) })}
      ${report.total > report.rows.length ? html`<p class="lead-on"><a href=${toAll}>All ${decimals.plain(report.total)} ${many}</a></p>` : ''}
    </section>`
  }

  return {
    title: () => 'Overview',
    view: () => html`${controls.view()}${file.problem()}${showLoaded(overview, report)}`,
    actions: figures.toggle,
    queryChanged: () => void overview.load(),
    followsAsOf: true,
  }
}
