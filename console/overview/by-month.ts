import { html, nothing, type TemplateResult } from 'lit-html'
import { addMonths } from '../format/calendar.ts'
import { dates } from '../format/formats.ts'
import type { PageContext } from '../frame/page.ts'
import { text } from '../languages/texts.ts'
import { isNarrow, showFolded } from '../lists/table.ts'
import { type Figures, showChange } from './figures.ts'
import { byClient } from './groups.ts'
import { showChart } from './month-chart.ts'
import { type MonthRow, totalOf } from './month-rows.ts'
import { daysOfMonth, isComparable, yearBefore } from './period.ts'
import type { ReportFile } from './report-file.ts'
import { addressOf, linesAddress, type ReportFilters } from './reports.ts'
import { type SumsRow, sumsColumns } from './sums-table.ts'

/** What was billed by month. */
export interface Months {
  /** The moment of the report. */
  readonly asOf: string
  readonly filters: ReportFilters
  readonly rows: readonly MonthRow[]
  readonly closedThrough: string | null
}

/** What every part of a page with figures needs to show them. */
export interface FigureOptions {
  readonly figures: Figures
  readonly file: ReportFile
  readonly context: PageContext
}

/** Months as a chart and as a table. */
export function byMonth(months: Months, { figures, file, context }: FigureOptions): TemplateResult {
  const { filters, asOf, rows } = months
  /** The filters of the lines of these months, in this year or the one before; without months, of all. */
  const ofMonths = (year: 'this' | 'before', first?: string, last = first): ReportFilters => {
    const period = year === 'this' ? filters : (yearBefore(filters) ?? filters)
    if (first === undefined || last === undefined) return { ...filters, ...period }
    const daysOf = (month: string) => daysOfMonth(year === 'this' ? month : addMonths(month, -12), period)
    return { ...filters, from: daysOf(first).from, to: daysOf(last).to }
  }
  const hrefOf: MonthsHref = (...months) => linesAddress(context, ofMonths(...months), asOf)
  /** A month, or all months, by client; if only one client is shown, the lines. */
  const byClientOf = (month?: string) =>
    filters.clientId ? hrefOf('this', month) : addressOf(byClient.path, context, ofMonths('this', month), asOf)
  const open = (month: string, year: 'this' | 'before') => location.assign(hrefOf(year, month))
  return html`<section aria-labelledby="by-month">
    <div class="section-head"><h2 id="by-month">${text('overview.byMonth')}</h2>${file.button('month', filters)}</div>
    ${showChart({ rows, open })}
    ${showMonths(months, { figures, hrefOf, byClientOf })}
    <p class="hint">${text('overview.rounding')}</p>
  </section>`
}

/** The address of the lines of one month, of the months from `first` to `last`, or of all. */
type MonthsHref = (year: 'this' | 'before', first?: string, last?: string) => string

interface Compared extends SumsRow {
  readonly before: unknown
  readonly difference: unknown
}

interface TableOptions {
  readonly figures: Figures
  readonly hrefOf: MonthsHref
  readonly byClientOf: (month?: string) => string
}

/** What was billed by month, compared with the year before: the figures of the chart. */
function showMonths(
  { rows, filters, closedThrough }: Months,
  { figures, hrefOf, byClientOf }: TableOptions,
): TemplateResult {
  const difference = ({ difference, change }: Pick<MonthRow, 'difference' | 'change'>) =>
    html`${figures.total(difference, { isDifference: true })} <span class="change">${showChange(change)}</span>`
  const title = filters.clientId ? nothing : text('overview.byClient')
  const named = (name: string, month?: string) => html`<a href=${byClientOf(month)} title=${title}>${name}</a>`
  const month = (row: MonthRow): Compared => ({
    name: html`<span>${named(dates.month(row.month), row.month)} ${closedMark(row, closedThrough)}</span>`,
    sums: row.sums,
    href: hrefOf('this', row.month),
    before: figures.total(row.before, { href: hrefOf('before', row.month) }),
    difference: row.isToCome ? html`<span class="quiet">${text('overview.toCome')}</span>` : difference(row),
  })
  const total = (name: unknown, rows: readonly MonthRow[], beforeOptions: { readonly href?: string }): Compared => {
    const { sums, ...compared } = totalOf(rows)
    const all = { name, sums, href: hrefOf('this') }
    // For all time, both years would add up the same months.
    if (!isComparable(filters)) return { ...all, before: '', difference: '' }
    return { ...all, before: figures.total(compared.before, beforeOptions), difference: difference(compared) }
  }
  const past = rows.filter(({ isToCome }) => !isToCome)
  // While months are to come, whole periods can't be compared fairly.
  const [first, last] = [rows[0]?.month, past.at(-1)?.month]
  // If a month still to come lies among these, no single page has their lines.
  const before = rows[past.length - 1]?.month === last ? { href: hrefOf('before', first, last) } : {}
  const soFar = past.length === rows.length || past.length === 0 ? [] : [total(text('overview.soFar'), past, before)]
  // The chart above shows the months.
  return showFolded<Compared>(isNarrow() ? 0 : rows.length, {
    caption: text('overview.monthsCaption'),
    kind: 'sums',
    columns: [
      [text('word.month'), ({ name }) => name],
      ...sumsColumns(figures),
      [text('overview.yearBefore'), ({ before }) => before, 'amount'],
      [text('word.difference'), ({ difference }) => difference, 'amount'],
    ],
    rows: rows.map(month),
    foot: [...soFar, total(named(text('word.allMonths')), rows, { href: hrefOf('before') })],
  })
}

/** Says in words whether a month is closed. */
function closedMark({ closed }: MonthRow, closedThrough: string | null): TemplateResult | typeof nothing {
  if (closed === 'none' || closedThrough === null) return nothing
  const isAll = closed === 'all'
  const date = dates.date(closedThrough)
  return html`<span class="badge">${isAll ? text('overview.closed') : text('overview.closedThrough', { date })}</span>`
}
