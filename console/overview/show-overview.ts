import { html, type TemplateResult } from 'lit-html'
import { addMonths } from '../format/calendar.ts'
import type { PageContext } from '../frame/page.ts'
import { text } from '../languages/texts.ts'
import type { Figures } from './figures.ts'
import { byClient, byType, type Grouping } from './groups.ts'
import { showChart } from './month-chart.ts'
import type { MonthRow } from './month-rows.ts'
import { showMonths } from './months-table.ts'
import { daysOfMonth, isComparable, yearBefore } from './period.ts'
import type { ReportFile } from './report-file.ts'
import { scopeText } from './report-filters.ts'
import { contractsQuery, type Report, type ReportFilters } from './reports.ts'
import { showSums } from './sums-table.ts'
import { showTiles } from './tiles.ts'

/** What the overview shows. */
export interface Overview {
  readonly filters: ReportFilters
  /** The moment of the report. */
  readonly asOf: string
  readonly rows: readonly MonthRow[]
  readonly closedThrough: string | null
  readonly clients: Report<'clientId'>
  readonly types: Report<'serviceType'>
}

interface ShowOptions {
  readonly figures: Figures
  readonly file: ReportFile
  readonly context: PageContext
}

/** The sums at a glance, then by month, by client and by type. */
export function showOverview(shown: Overview, options: ShowOptions): TemplateResult {
  const { filters, asOf, rows, clients, types } = shown
  const { figures, context } = options
  return html`<p class="range">${scopeText(filters, asOf)}</p>
    ${showTiles({ rows, isComparable: isComparable(filters), figures, href: hrefOf(filters, context) })}
    ${byMonth(shown, options)}
    ${grouped(byClient, clients, filters, options)}
    ${grouped(byType, types, filters, options)}`
}

/** The contracts behind a figure. */
function hrefOf(filters: ReportFilters, { link }: PageContext): string {
  return link('/contracts', contractsQuery(filters))
}

function byMonth({ filters, rows, closedThrough }: Overview, { figures, file, context }: ShowOptions): TemplateResult {
  const hrefOfMonth = (month: string | undefined, year: 'this' | 'before') => {
    const period = year === 'this' ? filters : (yearBefore(filters) ?? filters)
    const shown = month && (year === 'this' ? month : addMonths(month, -12))
    return hrefOf({ ...filters, ...(shown === undefined ? period : daysOfMonth(shown, period)) }, context)
  }
  const open = (month: string, year: 'this' | 'before') => location.assign(hrefOfMonth(month, year))
  return html`<section aria-labelledby="by-month">
    <div class="section-head"><h2 id="by-month">${text('overview.byMonth')}</h2>${file.button('month', filters)}</div>
    ${showChart({ rows, closedThrough, open })}
    ${showMonths({ rows, isComparable: isComparable(filters), closedThrough, figures, hrefOf: hrefOfMonth })}
  </section>`
}

function grouped<By extends 'clientId' | 'serviceType'>(
  grouping: Grouping<By>,
  report: Report<By>,
  filters: ReportFilters,
  { figures, file, context }: ShowOptions,
): TemplateResult {
  const { groupBy, title, all, path } = grouping
  const toAll = context.link(path, { ...context.query() })
  return html`<section aria-labelledby=${groupBy}>
    <div class="section-head"><h2 id=${groupBy}>${title}</h2>${file.button(groupBy, filters)}</div>
    ${showSums(grouping, report, { figures, hrefOf: (part) => hrefOf({ ...filters, ...part }, context) })}
    ${report.total > report.rows.length ? html`<p class="lead-on"><a href=${toAll}>${text(all, { count: report.total })}</a></p>` : ''}
  </section>`
}
