import { html, type TemplateResult } from 'lit-html'
import { text } from '../languages/texts.ts'
import { type Column, showTable } from '../lists/table.ts'
import { type Figures, showCount } from './figures.ts'
import type { Grouping } from './groups.ts'
import type { Report, ReportFilters, ReportRows } from './reports.ts'
import type { Sums } from './sums.ts'

/** Sums, and where the contracts are that they add up. */
export interface SumsRow {
  readonly name: unknown
  readonly sums: Sums
  readonly href: string
}

/** The columns of sums. Their links lead where that of the row's name does. */
export function sumsColumns({ amount }: Figures): readonly Column<SumsRow>[] {
  const column = (label: string, of: (sums: Sums) => string): Column<SumsRow> => [
    label,
    ({ sums, href }) => amount(of(sums), { href, isRepeated: true }),
    'amount',
  ]
  return [
    [text('overview.contracts'), ({ sums, href }) => showCount(sums.count, href, true), 'amount'],
    column(text('overview.fees'), ({ serviceFee }) => serviceFee),
    column(text('overview.tax'), ({ tax }) => tax),
    column(text('overview.totalWithTax'), ({ totalFeeWithTax }) => totalFeeWithTax),
  ]
}

interface TableOptions {
  readonly figures: Figures
  /** Where the contracts are that a part of the report adds up. */
  readonly hrefOf: (part: Partial<ReportFilters>) => string
}

/** Sums by client or by type: a row leads to the contracts behind it. */
export function showSums<By extends 'clientId' | 'serviceType'>(
  { title, one, nameOf, filterOf }: Grouping<By>,
  { rows, sums }: Report<By>,
  { figures, hrefOf }: TableOptions,
): TemplateResult {
  const name: Column<SumsRow> = [one, ({ name, href }) => html`<a href=${href}>${name}</a>`]
  return showTable<SumsRow>({
    caption: title,
    kind: 'sums',
    columns: [name, ...sumsColumns(figures)],
    rows: rows.map((row: ReportRows[By]) => ({ name: nameOf(row), sums: row, href: hrefOf(filterOf(row)) })),
    foot: [{ name: text('overview.all'), sums, href: hrefOf({}) }],
  })
}
