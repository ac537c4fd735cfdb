import { html, type TemplateResult } from 'lit-html'
import { createLoader, showLoaded } from '../frame/loader.ts'
import type { Page, PageContext } from '../frame/page.ts'
import { offsetOf, PAGE_SIZE, rangeText } from '../lists/paging.ts'
import { showPaging } from '../lists/show-paging.ts'
import { createFigures } from './figures.ts'
import type { Grouping } from './groups.ts'
import { createReportFile } from './report-file.ts'
import { createReportFilters, scopeText } from './report-filters.ts'
import { contractsQuery, fetchReport, type Report, type ReportFilters } from './reports.ts'
import type { Sums } from './sums.ts'
import { showSums } from './sums-table.ts'

interface Grouped {
  readonly filters: ReportFilters
  readonly report: Report<Sums>
  readonly offset: number
}

/** What was billed by client or by type: all rows, page by page. */
export function groupedPage<Row extends Sums>(grouping: Grouping<Row>): (context: PageContext) => Page {
  // A report answers the rows that it is asked for.
  return (context) => openGrouped(grouping as unknown as Grouping<Sums>, context)
}

function openGrouped(grouping: Grouping<Sums>, context: PageContext): Page {
  const { api, signal, update, link, announce, query } = context
  const figures = createFigures(update)
  const controls = createReportFilters(context)
  const file = createReportFile(context)
  const grouped = createLoader(load, { signal, update })
  void grouped.load()

  async function load(signal: AbortSignal): Promise<Grouped> {
    const filters = controls.current()
    const offset = offsetOf(query().offset)
    const report = await fetchReport(api, grouping.groupBy, { filters, limit: PAGE_SIZE, offset, signal })
    announce(rangeText({ offset, shown: report.rows.length, total: report.total }, navigator.languages))
    return { filters, report, offset }
  }

  function rows({ filters, report, offset }: Grouped): TemplateResult {
    const range = { offset, shown: report.rows.length, total: report.total }
    const hrefOf = (part: Partial<ReportFilters>) => link('/contracts', contractsQuery({ ...filters, ...part }))
    return html`<div class="report">
      <p class="range">${rangeText(range, navigator.languages)}. ${scopeText(filters, report.asOf)}</p>
      ${showSums(grouping, report, { figures, hrefOf })}
      ${showPaging(range, (to) => link(grouping.path, { ...query(), offset: to === 0 ? undefined : String(to) }))}
    </div>`
  }

  return {
    title: () => `Overview ${grouping.title.toLowerCase()}`,
    view: () => html`${controls.view()}${file.problem()}${showLoaded(grouped, rows)}`,
    actions: () => html`${figures.toggle()}${file.button(grouping.groupBy, controls.current())}`,
    queryChanged: () => void grouped.load(),
    followsAsOf: true,
  }
}
