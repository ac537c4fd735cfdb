import { html, type TemplateResult } from 'lit-html'
import { showLoaded } from '../frame/loader.ts'
import type { Page, PageContext } from '../frame/page.ts'
import { text } from '../languages/texts.ts'
import { openPaged, type Paged, showPaging } from '../lists/paged.ts'
import { rangeText } from '../lists/paging.ts'
import { createFigures } from './figures.ts'
import type { Grouping } from './groups.ts'
import { createReportFile } from './report-file.ts'
import { createReportFilters, scopeText, toNow } from './report-filters.ts'
import { fetchReport, type Group, type Report, type ReportFilters } from './reports.ts'
import { showSums } from './sums-table.ts'

interface Grouped<By extends Group> extends Report<By> {
  readonly filters: ReportFilters
}

/** What was billed by client or by type: all rows, page by page. */
export function groupedPage<By extends 'clientId' | 'serviceType'>(grouping: Grouping<By>, context: PageContext): Page {
  const figures = createFigures(context)
  const controls = createReportFilters(context)
  const file = createReportFile(context)
  const grouped = openPaged<Grouped<By>>(context, async (page, signal) => {
    const filters = controls.current()
    const report = await fetchReport(context.api, grouping.groupBy, { filters, ...page, signal })
    return { ...report, filters: { ...filters, asOf: report.asOf } }
  })

  function rows({ range, ...report }: Paged<Grouped<By>>): TemplateResult {
    const { filters, asOf } = report
    return html`<div class="report">
      <p class="range">${text('overview.rangeAndScope', { range: rangeText(range), scope: scopeText(filters, asOf) })} ${toNow(context)}</p>
      ${showSums(grouping, report, { filters, figures, context })}
      ${showPaging(range, context)}
    </div>`
  }

  return {
    title: () => grouping.pageTitle,
    view: () => html`${controls.view()}${file.problem()}${showLoaded(grouped, rows)}`,
    actions() {
      const { filters = controls.current(), total }: Partial<Grouped<By>> = grouped.value() ?? {}
      return html`${figures.toggle()}${file.button(grouping.groupBy, filters, total)}`
    },
    queryChanged: () => void grouped.load(),
    followsAsOf: true,
  }
}
