import { html, nothing, type TemplateResult } from 'lit-html'
import { dates } from '../format/formats.ts'
import { text } from '../languages/texts.ts'
import { showTable } from '../lists/table.ts'
import type { Figures } from './figures.ts'
import { type MonthRow, totalOf } from './month-rows.ts'
import { type SumsRow, sumsColumns } from './sums-table.ts'

interface MonthsTable {
  readonly rows: readonly MonthRow[]
  /** Whether the period is one that has a year before: that of all time would be a sum of the same months. */
  readonly isComparable: boolean
  readonly closedThrough: string | null
  readonly figures: Figures
  /** The contracts of a month, or of all. */
  readonly hrefOf: (month: string | undefined, year: 'this' | 'before') => string
}

interface Compared extends SumsRow {
  readonly before: unknown
  readonly difference: unknown
}

/** What was billed by month, beside the year before: the figures of the chart. */
export function showMonths({ rows, isComparable, closedThrough, figures, hrefOf }: MonthsTable): TemplateResult {
  const difference = (value: string) => figures.amount(value, { isDifference: true })
  const month = (row: MonthRow): Compared => {
    const href = hrefOf(row.month, 'this')
    return {
      name: html`<span><a href=${href}>${dates.month(row.month)}</a> ${closedMark(row, closedThrough)}</span>`,
      sums: row.sums,
      href,
      before: figures.amount(row.before.totalFeeWithTax, { href: hrefOf(row.month, 'before') }),
      difference: row.isToCome
        ? html`<span class="quiet">${text('overview.toCome')}</span>`
        : difference(row.difference),
    }
  }
  const all = hrefOf(undefined, 'this')
  const total = (name: unknown, rows: readonly MonthRow[], beforeOptions: { readonly href?: string }): Compared => {
    const { sums, ...compared } = totalOf(rows)
    const before = isComparable && figures.amount(compared.before.totalFeeWithTax, beforeOptions)
    return {
      name,
      sums,
      href: all,
      before: before || '',
      difference: isComparable ? difference(compared.difference) : '',
    }
  }
  const past = rows.filter(({ isToCome }) => !isToCome)
  // While months are to come, whole periods can't be compared fairly.
  const soFar = past.length === rows.length || past.length === 0 ? [] : [total(text('overview.soFar'), past, {})]
  return showTable<Compared>({
    caption: text('overview.monthsCaption'),
    kind: 'sums',
    columns: [
      [text('overview.month'), ({ name }) => name],
      ...sumsColumns(figures),
      [text('overview.yearBefore'), ({ before }) => before, 'amount'],
      [text('overview.difference'), ({ difference }) => difference, 'amount'],
    ],
    rows: rows.map(month),
    foot: [
      ...soFar,
      total(html`<a href=${all}>${text('overview.allMonths')}</a>`, rows, { href: hrefOf(undefined, 'before') }),
    ],
  })
}

/** Says in words whether a month is closed. */
function closedMark({ closed }: MonthRow, closedThrough: string | null): TemplateResult | typeof nothing {
  if (closed === 'none' || closedThrough === null) return nothing
  const isAll = closed === 'all'
  const date = dates.date(closedThrough)
  return html`<span class="badge">${isAll ? text('overview.closed') : text('overview.closedThrough', { date })}</span>`
}
