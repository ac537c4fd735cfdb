import { html, type TemplateResult } from 'lit-html'
import type { PageContext } from '../frame/page.ts'
import { text } from '../languages/texts.ts'
import { type Column, showFolded } from '../lists/table.ts'
import { type Figures, showCount } from './figures.ts'
import type { Grouping } from './groups.ts'
import { linesAddress, type Report, type ReportFilters, type ReportRows } from './reports.ts'
import type { Sums } from './sums.ts'

/** Sums, and where the lines are that add up to them. */
export interface SumsRow {
  readonly name: unknown
  readonly sums: Sums
  readonly href: string
}

/** The columns of sums, which all lead to their lines: the first one for the keyboard, too. */
export function sumsColumns({ amount, tax, total }: Figures): readonly Column<SumsRow>[] {
  return [
    [text('kind.title.contracts'), ({ sums, href }) => showCount(sums.count, href), 'amount'],
    [text('overview.fees'), ({ sums, href }) => amount(sums.serviceFee, { href, isRepeated: true }), 'amount'],
    [text('word.tax'), ({ sums, href }) => tax(sums, { href, isRepeated: true }), 'amount'],
    [text('field.totalFeeWithTax'), ({ sums, href }) => total(sums, { href, isRepeated: true }), 'amount'],
  ]
}

interface TableOptions {
  readonly filters: ReportFilters
  readonly figures: Figures
  readonly context: PageContext
  /** How many rows are shown, the others folded; by default, all. */
  readonly shown?: number
}

/** Sums by client or by type: a row leads to the lines behind it. */
export function showSums<By extends 'clientId' | 'serviceType'>(
  { title, one, nameOf, filterOf }: Grouping<By>,
  { rows, sums, asOf }: Report<By>,
  { filters, figures, context, shown = rows.length }: TableOptions,
): TemplateResult {
  const hrefOf = (part: Partial<ReportFilters>) => linesAddress(context, { ...filters, ...part }, asOf)
  const name: Column<SumsRow> = [one, ({ name, href }) => html`<a href=${href}>${name}</a>`]
  return showFolded<SumsRow>(shown, {
    caption: title,
    kind: 'sums',
    columns: [name, ...sumsColumns(figures)],
    rows: rows.map((row: ReportRows[By]) => ({ name: nameOf(row), sums: row, href: hrefOf(filterOf(row)) })),
    foot: [{ name: text('word.all'), sums, href: hrefOf({}) }],
  })
}
