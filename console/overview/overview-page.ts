import { html, type TemplateResult } from 'lit-html'
import { fetchClosing } from '../closing/closings.ts'
import { decimals } from '../format/formats.ts'
import { openLoader, showLoaded } from '../frame/loader.ts'
import type { Page, PageContext } from '../frame/page.ts'
import { text } from '../languages/texts.ts'
import { createFigures } from './figures.ts'
import { firstSteps } from './first-steps.ts'
import { monthRows } from './month-rows.ts'
import { yearBefore } from './period.ts'
import { createReportFile } from './report-file.ts'
import { createReportFilters } from './report-filters.ts'
import { fetchReport, MAX_LIMIT } from './reports.ts'
import { type Overview, showOverview } from './show-overview.ts'

/** How many clients and types are shown; separate pages have all of them. */
const MAX_ROWS = 10

/** What was billed: by month, compared with the year before, by client and by type. */
export function overviewPage(context: PageContext): Page {
  const { api, announce } = context
  const figures = createFigures(context)
  const controls = createReportFilters(context)
  const file = createReportFile(context)
  const overview = openLoader(load, context)

  async function load(signal: AbortSignal): Promise<Overview> {
    const filters = controls.current()
    const before = yearBefore(filters)
    const months = await fetchReport(api, 'month', { filters, limit: MAX_LIMIT, signal })
    // Figures as of different moments might not agree.
    const pinned = { ...filters, asOf: months.asOf }
    const [monthsBefore, clients, types, { closedThrough }] = await Promise.all([
      before && fetchReport(api, 'month', { filters: { ...pinned, ...before }, limit: MAX_LIMIT, signal }),
      fetchReport(api, 'clientId', { filters: pinned, limit: MAX_ROWS, signal }),
      fetchReport(api, 'serviceType', { filters: pinned, limit: MAX_ROWS, signal }),
      fetchClosing(api, filters.asOf, signal),
    ])
    announce(text('overview.said', { count: months.sums.count, amount: decimals.rounded(months.sums.billed) }))
    const today = controls.today()
    const rows = monthRows({
      period: filters,
      months: months.rows,
      before: monthsBefore?.rows ?? [],
      closedThrough,
      today,
    })
    return { filters: pinned, asOf: months.asOf, rows, closedThrough, clients, types }
  }

  function report(shown: Overview): TemplateResult {
    const { filters, rows } = shown
    if (rows.every(({ sums, before }) => sums.count + before.count === 0)) return firstSteps(context, filters)
    return html`<div class="report">${showOverview(shown, { figures, file, context })}</div>`
  }

  return {
    title: () => text('overview.title'),
    view: () => html`${controls.view()}${file.problem()}${showLoaded(overview, report)}`,
    actions: figures.toggle,
    queryChanged: () => void overview.load(),
    followsAsOf: true,
  }
}
