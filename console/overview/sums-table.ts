import { html, type TemplateResult } from 'lit-html'
import { type Figures, showCount } from './figures.ts'
import type { Grouping } from './groups.ts'
import type { Report, ReportFilters } from './reports.ts'
import type { Sums } from './sums.ts'

/** The headings over the cells of sums. */
export function sumsHeadings(): TemplateResult {
  const heading = (label: string) => html`<th scope="col" class="amount">${label}</th>`
  return html`${['Contracts', 'Fees', 'Tax', 'Total with tax'].map(heading)}`
}

/** The cells of sums. Their links lead where that of the row's name does. */
export function sumsCells(
  { count, serviceFee, tax, totalFeeWithTax }: Sums,
  href: string,
  { amount }: Figures,
): TemplateResult {
  const cell = (label: string, value: string) =>
    html`<td class="amount" data-label=${label}>${amount(value, { href, isRepeated: true })}</td>`
  return html`<td class="amount" data-label="Contracts">${showCount(count, href, true)}</td>
    ${cell('Fees', serviceFee)}${cell('Tax', tax)}${cell('Total with tax', totalFeeWithTax)}`
}

interface TableOptions {
  readonly figures: Figures
  /** Where the contracts are that a part of the report adds up. */
  readonly hrefOf: (part: Partial<ReportFilters>) => string
}

/** Sums by client or by type: a row leads to the contracts behind it. */
export function showSums<Row extends Sums>(
  { title, one, nameOf, filterOf }: Grouping<Row>,
  { rows, sums }: Report<Row>,
  { figures, hrefOf }: TableOptions,
): TemplateResult {
  const row = (row: Row) => html`<tr>
    <th scope="row" data-label=${one}><a href=${hrefOf(filterOf(row))}>${nameOf(row)}</a></th>
    ${sumsCells(row, hrefOf(filterOf(row)), figures)}
  </tr>`
  return html`<div class="table-box">
    <table class="records sums">
      <caption class="visually-hidden">${title}</caption>
      <thead><tr><th scope="col">${one}</th>${sumsHeadings()}</tr></thead>
      <tbody>${rows.map(row)}</tbody>
      <tfoot><tr><th scope="row" data-label=${one}><a href=${hrefOf({})}>All</a></th>${sumsCells(sums, hrefOf({}), figures)}</tr></tfoot>
    </table>
  </div>`
}
