import { html, nothing, type TemplateResult } from 'lit-html'
import { parts, text } from '../languages/texts.ts'
import { byMonth, type FigureOptions, type Months } from './by-month.ts'
import { showChange, showCount } from './figures.ts'
import { byClient, byType, type Grouping } from './groups.ts'
import { totalOf } from './month-rows.ts'
import { isComparable } from './period.ts'
import { scopeText } from './report-filters.ts'
import { addressOf, linesAddress, type Report, type ReportFilters } from './reports.ts'
import { showSums } from './sums-table.ts'

/** What the overview shows. */
export interface Overview extends Months {
  readonly clients: Report<'clientId'>
  readonly types: Report<'serviceType'>
}

/** The sums at a glance, then by month, by client and by type. */
export function showOverview(shown: Overview, options: FigureOptions): TemplateResult {
  const { filters, asOf, clients, types } = shown
  return html`<p class="range">${scopeText(filters, asOf)}</p>
    ${tiles(shown, options)}
    ${byMonth(shown, options)}
    ${grouped(byClient, clients, filters, options)}
    ${grouped(byType, types, filters, options)}`
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
    ${tile(text('overview.tax'), figures.tax(sums, { href, isRepeated: true }))}
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
  const hrefOf = (part: Partial<ReportFilters>) => linesAddress(context, { ...filters, ...part }, report.asOf)
  return html`<section aria-labelledby=${groupBy}>
    <div class="section-head"><h2 id=${groupBy}>${title}</h2>${file.button(groupBy, filters, report.total)}</div>
    ${showSums(grouping, report, { figures, hrefOf })}
    ${report.total > report.rows.length ? html`<p class="lead-on"><a href=${toAll}>${text(all, { count: report.total })}</a></p>` : ''}
  </section>`
}
