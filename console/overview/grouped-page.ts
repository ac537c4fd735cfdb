import { html, type TemplateResult } from 'lit-html'
import { openLoader, showLoaded } from '../frame/loader.ts'
import type { Page, PageContext } from '../frame/page.ts'
import { text } from '../languages/texts.ts'
import { offsetOf, type Range, rangeText, sizeOf } from '../lists/paging.ts'
import { showPaging } from '../lists/show-paging.ts'
import { createFigures } from './figures.ts'
import type { Grouping } from './groups.ts'
import { createReportFile } from './report-file.ts'
import { createReportFilters, scopeText, toNow } from './report-filters.ts'
import { fetchReport, type Group, type Report, type ReportFilters } from './reports.ts'
import { showSums } from './sums-table.ts'

interface Grouped<By extends Group> {
  readonly filters: ReportFilters
  readonly report: Report<By>
  readonly range: Range
}

/** What was billed by client or by type: all rows, page by page. */
export function groupedPage<By extends 'clientId' | 'serviceType'>(grouping: Grouping<By>, context: PageContext): Page {
  const { api, announce, query } = context
  const figures = createFigures(context)
  const controls = createReportFilters(context)
  const file = createReportFile(context)
  const grouped = openLoader(load, context)

  async function load(signal: AbortSignal): Promise<Grouped<By>> {
    const filters = controls.current()
    const offset = offsetOf(query().offset)
    const report = await fetchReport(api, grouping.groupBy, { filters, limit: sizeOf(query().rows), offset, signal })
    const range = { offset, shown: report.rows.length, total: report.total }
    announce(rangeText(range))
    return { filters: { ...filters, asOf: report.asOf }, report, range }
  }

  function rows({ filters, report, range }: Grouped<By>): TemplateResult {
    return html`<div class="report">
      <p class="range">${text('overview.rangeAndScope', { range: rangeText(range), scope: scopeText(filters, report.asOf) })} ${toNow(context)}</p>
      ${showSums(grouping, report, { filters, figures, context })}
      ${showPaging(range, context)}
    </div>`
  }

  return {
    title: () => grouping.pageTitle,
    view: () => html`${controls.view()}${file.problem()}${showLoaded(grouped, rows)}`,
    actions() {
      const { filters, report } = grouped.value() ?? { filters: controls.current() }
      return html`${figures.toggle()}${file.button(grouping.groupBy, filters, report?.total)}`
    },
    queryChanged: () => void grouped.load(),
    followsAsOf: true,
  }
}
