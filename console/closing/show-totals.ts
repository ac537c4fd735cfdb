import Big from 'big.js'
import { html, nothing, type TemplateResult } from 'lit-html'
import { showAmount } from '../fields/show.ts'
import { dates } from '../format/formats.ts'
import { type Column, showTable } from '../lists/table.ts'
import { type ClosedMonth, closedMonths, monthsToShow, type SpanReports } from './closed-months.ts'

/** What closed months billed when they were closed, and what they bill now. */
export function showTotals(reports: readonly SpanReports[]): TemplateResult | typeof nothing {
  const months = closedMonths(reports)
  if (months.length === 0) return nothing
  const shown = monthsToShow(months)
  const total = (side: 'before' | 'now') =>
    reports.reduce((sum, { sums }) => sum.plus(sums[side]), new Big(0)).toFixed()
  const all: ClosedMonth = { month: '', since: '', before: total('before'), now: total('now') }
  const columns: readonly Column<ClosedMonth>[] = [
    ['Month', ({ month }) => (month === '' ? 'All closed months' : dates.month(month))],
    ['Closed since', ({ since }) => since && html`<time datetime=${since}>${dates.moment(since)}</time>`, 'moment'],
    ['Billed when closed', ({ before }) => showAmount(before), 'amount'],
    ['Billed now', ({ now }) => showAmount(now), 'amount'],
    ['Difference', (month) => html`<span>${showDifference(differenceOf(month))}</span>`, 'amount'],
  ]
  const caption = 'What the closed months billed with tax when they were closed, and what they bill now'
  return html`${showTable({ caption, columns, rows: shown, foot: [all] })}
    ${shown.length === months.length ? nothing : html`<p class="range">Earlier months are unchanged.</p>`}`
}

const differenceOf = ({ before, now }: ClosedMonth): string => new Big(now).minus(before).toFixed()

/** In words, as a sign alone is easily missed. */
export function showDifference(amount: string): TemplateResult {
  const difference = new Big(amount)
  if (difference.eq(0)) return html`unchanged`
  return html`${showAmount(difference.abs().toFixed())} ${difference.gt(0) ? 'higher' : 'lower'}`
}
