import { html, nothing, type TemplateResult } from 'lit-html'
import { dates } from '../format/formats.ts'
import { text } from '../languages/texts.ts'
import { showTable } from '../lists/table.ts'
import { type Figures, showChange } from './figures.ts'
import { type MonthRow, totalOf } from './month-rows.ts'
import { type SumsRow, sumsColumns } from './sums-table.ts'

interface MonthsTable {
  readonly rows: readonly MonthRow[]
  /** Whether the period can be compared with the year before: for all time, both would add up the same months. */
  readonly isComparable: boolean
  readonly closedThrough: string | null
  readonly figures: Figures
  readonly hrefOf: MonthsHref
  /** A month, or all of them, by client; undefined: they are those of one. */
  readonly byClientOf: ((month?: string) => string) | undefined
}

/** Where the lines of some months are: of one, of those from one to another, or of all. */
export type MonthsHref = (year: 'this' | 'before', first?: string, last?: string) => string

interface Compared extends SumsRow {
  readonly before: unknown
  readonly difference: unknown
}

/** What was billed by month, compared with the year before: the figures of the chart. */
export function showMonths(options: MonthsTable): TemplateResult {
  const { rows, isComparable, closedThrough, figures, hrefOf, byClientOf } = options
  const difference = ({ difference, change }: Pick<MonthRow, 'difference' | 'change'>) =>
    html`${figures.total(difference, { isDifference: true })} <span class="change">${showChange(change)}</span>`
  const byClient = (name: string, month?: string) =>
    byClientOf
      ? html`<a href=${byClientOf(month)} title=${text('overview.byClient')}>${name}</a>`
      : html`<a href=${hrefOf('this', month)}>${name}</a>`
  const month = (row: MonthRow): Compared => ({
    name: html`<span>${byClient(dates.month(row.month), row.month)} ${closedMark(row, closedThrough)}</span>`,
    sums: row.sums,
    href: hrefOf('this', row.month),
    before: figures.total(row.before, { href: hrefOf('before', row.month) }),
    difference: row.isToCome ? html`<span class="quiet">${text('overview.toCome')}</span>` : difference(row),
  })
  const all = hrefOf('this')
  const total = (name: unknown, rows: readonly MonthRow[], beforeOptions: { readonly href?: string }): Compared => {
    const { sums, ...compared } = totalOf(rows)
    if (!isComparable) return { name, sums, href: all, before: '', difference: '' }
    const before = figures.total(compared.before, beforeOptions)
    return { name, sums, href: all, before, difference: difference(compared) }
  }
  const past = rows.filter(({ isToCome }) => !isToCome)
  // While months are to come, whole periods can't be compared fairly.
  const [first, last] = [rows[0]?.month, past.at(-1)?.month]
  // If a month still to come lies among these, no single page has their lines.
  const before = rows[past.length - 1]?.month === last ? { href: hrefOf('before', first, last) } : {}
  const soFar = past.length === rows.length || past.length === 0 ? [] : [total(text('overview.soFar'), past, before)]
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
    foot: [...soFar, total(byClient(text('overview.allMonths')), rows, { href: hrefOf('before') })],
  })
}

/** Says in words whether a month is closed. */
function closedMark({ closed }: MonthRow, closedThrough: string | null): TemplateResult | typeof nothing {
  if (closed === 'none' || closedThrough === null) return nothing
  const isAll = closed === 'all'
  const date = dates.date(closedThrough)
  return html`<span class="badge">${isAll ? text('overview.closed') : text('overview.closedThrough', { date })}</span>`
}
