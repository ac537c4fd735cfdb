import { html, nothing, type TemplateResult } from 'lit-html'
import { dates } from '../format/formats.ts'
import { showTable } from '../lists/table.ts'
import { type Figures, showChange } from './figures.ts'
import { type MonthRow, totalOf } from './month-rows.ts'
import { type SumsRow, sumsColumns } from './sums-table.ts'

interface MonthsTable {
  readonly rows: readonly MonthRow[]
  /** Whether the period is one that has a year before: that of all time would be a sum of the same months. */
  readonly isComparable: boolean
  readonly closedThrough: string | null
  readonly figures: Figures
  /** The lines of a month, or of all. */
  readonly hrefOf: (month: string | undefined, year: 'this' | 'before') => string
  /** Those months by client. */
  readonly byClientOf: (month: string | undefined) => string
}

interface Compared extends SumsRow {
  readonly before: unknown
  readonly difference: unknown
}

/** What was billed by month, beside the year before: the figures of the chart. */
export function showMonths(options: MonthsTable): TemplateResult {
  const { rows, isComparable, closedThrough, figures, hrefOf, byClientOf } = options
  const difference = ({ difference, change }: Pick<MonthRow, 'difference' | 'change'>) =>
    html`${figures.total(difference, { isDifference: true })} <span class="change">${showChange(change)}</span>`
  const byClient = (month: string | undefined, name: string) =>
    html`<a href=${byClientOf(month)} title="By client">${name}</a>`
  const month = (row: MonthRow): Compared => ({
    name: html`<span>${byClient(row.month, dates.month(row.month))} ${closedMark(row, closedThrough)}</span>`,
    sums: row.sums,
    href: hrefOf(row.month, 'this'),
    before: figures.total(row.before, { href: hrefOf(row.month, 'before') }),
    difference: row.isToCome ? html`<span class="quiet">to come</span>` : difference(row),
  })
  const all = hrefOf(undefined, 'this')
  const total = (name: unknown, rows: readonly MonthRow[], beforeOptions: { readonly href?: string }): Compared => {
    const { sums, ...compared } = totalOf(rows)
    const before = isComparable && figures.total(compared.before, beforeOptions)
    return {
      name,
      sums,
      href: all,
      before: before || '',
      difference: isComparable ? difference(compared) : '',
    }
  }
  const past = rows.filter(({ isToCome }) => !isToCome)
  // While months are to come, whole periods can't be compared fairly.
  const soFar = past.length === rows.length || past.length === 0 ? [] : [total('Months so far', past, {})]
  return showTable<Compared>({
    caption: 'What was billed by month',
    kind: 'sums',
    columns: [
      ['Month', ({ name }) => name],
      ...sumsColumns(figures),
      ['Year before', ({ before }) => before, 'amount'],
      ['Difference', ({ difference }) => difference, 'amount'],
    ],
    rows: rows.map(month),
    foot: [...soFar, total(byClient(undefined, 'All months'), rows, { href: hrefOf(undefined, 'before') })],
  })
}

/** Says in words whether a month is closed. */
function closedMark({ closed }: MonthRow, closedThrough: string | null): TemplateResult | typeof nothing {
  if (closed === 'none' || closedThrough === null) return nothing
  return html`<span class="badge">${closed === 'all' ? 'Closed' : `Closed through ${dates.date(closedThrough)}`}</span>`
}
