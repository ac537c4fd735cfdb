import { html, nothing, type TemplateResult } from 'lit-html'
import { addMonths } from '../format/calendar.ts'
import type { PageContext } from '../frame/page.ts'
import { parts, text } from '../languages/texts.ts'
import { type Figures, showChange, showCount } from './figures.ts'
import { byClient, byType, type Grouping } from './groups.ts'
import { showChart } from './month-chart.ts'
import { type MonthRow, totalOf } from './month-rows.ts'
import { type MonthsHref, showMonths } from './months-table.ts'
import { daysOfMonth, isComparable, yearBefore } from './period.ts'
import type { ReportFile } from './report-file.ts'
import { scopeText } from './report-filters.ts'
import { addressOf, linesAddress, type Report, type ReportFilters } from './reports.ts'
import { showSums } from './sums-table.ts'

/** What was billed by month. */
export interface Months {
  /** The moment of the report. */
  readonly asOf: string
  readonly filters: ReportFilters
  readonly rows: readonly MonthRow[]
  readonly closedThrough: string | null
}

/** What the overview shows. */
export interface Overview extends Months {
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
  const { filters, asOf, clients, types } = shown
  return html`<p class="range">${scopeText(filters, asOf)}</p>
    ${tiles(shown, options)}
    ${byMonth(shown, options)}
    ${grouped(byClient, clients, filters, options)}
    ${grouped(byType, types, filters, options)}`
}

/** The sums of the whole period, at a glance. */
function tiles({ filters, asOf, rows }: Months, { figures, context }: ShowOptions): TemplateResult {
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
    ${tile(text('overview.tax'), figures.tax(sums, { href, isRepeated: true }))}
    ${tile(text('kind.title.contracts'), showCount(sums.count, href, true))}
  </dl>`
}

/** Months as a chart and as a table. */
export function byMonth(
  { filters, asOf, rows, closedThrough }: Months,
  { figures, file, context }: ShowOptions,
): TemplateResult {
  const ofMonths = (year: 'this' | 'before', first?: string, last = first): ReportFilters => {
    const period = year === 'this' ? filters : (yearBefore(filters) ?? filters)
    if (first === undefined || last === undefined) return { ...filters, ...period }
    const daysOf = (month: string) => daysOfMonth(year === 'this' ? month : addMonths(month, -12), period)
    return { ...filters, from: daysOf(first).from, to: daysOf(last).to }
  }
  const hrefOf: MonthsHref = (...months) => linesAddress(context, ofMonths(...months), asOf)
  const byClientOf = filters.clientId
    ? undefined
    : (month?: string) => addressOf(byClient.path, context, ofMonths('this', month), asOf)
  const open = (month: string, year: 'this' | 'before') => location.assign(hrefOf(year, month))
  return html`<section aria-labelledby="by-month">
    <div class="section-head"><h2 id="by-month">${text('overview.byMonth')}</h2>${file.button('month', filters)}</div>
    ${showChart({ rows, closedThrough, open })}
    ${showMonths({ rows, isComparable: isComparable(filters), closedThrough, figures, hrefOf, byClientOf })}
    <p class="hint">${text('overview.rounding')}</p>
  </section>`
}

function grouped<By extends 'clientId' | 'serviceType'>(
  grouping: Grouping<By>,
  report: Report<By>,
  filters: ReportFilters,
  { figures, file, context }: ShowOptions,
): TemplateResult {
  const { groupBy, title, all, path } = grouping
  const toAll = addressOf(path, context, filters, report.asOf)
  const hrefOf = (part: Partial<ReportFilters>) => linesAddress(context, { ...filters, ...part }, report.asOf)
  return html`<section aria-labelledby=${groupBy}>
    <div class="section-head"><h2 id=${groupBy}>${title}</h2>${file.button(groupBy, filters, report.total)}</div>
    ${showSums(grouping, report, { figures, hrefOf })}
    ${report.total > report.rows.length ? html`<p class="lead-on"><a href=${toAll}>${text(all, { count: report.total })}</a></p>` : ''}
  </section>`
}
