import { html, nothing, type TemplateResult } from 'lit-html'
import { dates } from '../format/formats.ts'
import type { Figures } from './figures.ts'
import { type MonthRow, totalOf } from './month-rows.ts'
import { sumsCells, sumsHeadings } from './sums-table.ts'

interface MonthsTable {
  readonly rows: readonly MonthRow[]
  /** Whether the period is one that has a year before: that of all time would be a sum of the same months. */
  readonly isComparable: boolean
  readonly closedThrough: string | null
  readonly figures: Figures
  /** The contracts of a month, or of all. */
  readonly hrefOf: (month: string | undefined, year: 'this' | 'before') => string
}

/** What was billed by month, beside the year before: the figures of the chart. */
export function showMonths({ rows, isComparable, closedThrough, figures, hrefOf }: MonthsTable): TemplateResult {
  const difference = (value: string) => figures.amount(value, { isDifference: true })
  const against = (before: string | TemplateResult, difference: string | TemplateResult) => html`
    <td class="amount" data-label="Year before">${before}</td>
    <td class="amount" data-label="Difference">${difference}</td>`
  const row = (row: MonthRow) => html`<tr>
    <th scope="row" data-label="Month">
      <span><a href=${hrefOf(row.month, 'this')}>${dates.month(row.month)}</a> ${closedMark(row, closedThrough)}</span>
    </th>
    ${sumsCells(row.sums, hrefOf(row.month, 'this'), figures)}
    ${against(
      figures.amount(row.before.totalFeeWithTax, { href: hrefOf(row.month, 'before') }),
      row.isToCome ? html`<span class="quiet">to come</span>` : difference(row.difference),
    )}
  </tr>`
  const total = (name: string | TemplateResult, rows: readonly MonthRow[], before: { readonly href?: string }) => {
    const all = totalOf(rows)
    return html`<tr>
      <th scope="row" data-label="Month">${name}</th>
      ${sumsCells(all.sums, hrefOf(undefined, 'this'), figures)}
      ${isComparable ? against(figures.amount(all.before.totalFeeWithTax, before), difference(all.difference)) : against('', '')}
    </tr>`
  }
  const past = rows.filter(({ isToCome }) => !isToCome)
  // While months are to come, whole periods can't be compared fairly.
  const soFar = past.length === rows.length || past.length === 0 ? nothing : total('Months so far', past, {})
  return html`<div class="table-box">
    <table class="records sums">
      <caption class="visually-hidden">What was billed by month</caption>
      <thead><tr>
        <th scope="col">Month</th>${sumsHeadings()}
        <th scope="col" class="amount">Year before</th>
        <th scope="col" class="amount">Difference</th>
      </tr></thead>
      <tbody>${rows.map(row)}</tbody>
      <tfoot>
        ${soFar}
        ${total(html`<a href=${hrefOf(undefined, 'this')}>All months</a>`, rows, { href: hrefOf(undefined, 'before') })}
      </tfoot>
    </table>
  </div>`
}

/** Says in words whether a month is closed. */
function closedMark({ closed }: MonthRow, closedThrough: string | null): TemplateResult | typeof nothing {
  if (closed === 'none' || closedThrough === null) return nothing
  return html`<span class="badge">${closed === 'all' ? 'Closed' : `Closed through ${dates.date(closedThrough)}`}</span>`
}
