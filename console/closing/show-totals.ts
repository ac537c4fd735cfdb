import Big from 'big.js'
import { html, nothing, type TemplateResult } from 'lit-html'
import { showAmount } from '../fields/show.ts'
import { dates } from '../format/formats.ts'
import { parts, text } from '../languages/texts.ts'
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
    [text('closing.month'), ({ month }) => (month === '' ? text('closing.allMonths') : dates.month(month))],
    [
      text('closing.closedSince'),
      ({ since }) => since && html`<time datetime=${since}>${dates.moment(since)}</time>`,
      'moment',
    ],
    [text('closing.billedThen'), ({ before }) => showAmount(before), 'amount'],
    [text('closing.billedNow'), ({ now }) => showAmount(now), 'amount'],
    [text('closing.difference'), (month) => html`<span>${showDifference(differenceOf(month))}</span>`, 'amount'],
  ]
  const caption = text('closing.totalsCaption')
  return html`${showTable({ caption, columns, rows: shown, foot: [all] })}
    ${shown.length === months.length ? nothing : html`<p class="range">${text('closing.earlierUnchanged')}</p>`}`
}

const differenceOf = ({ before, now }: ClosedMonth): string => new Big(now).minus(before).toFixed()

/** In words, as a sign alone is easily missed. */
export function showDifference(amount: string): TemplateResult {
  const difference = new Big(amount)
  if (difference.eq(0)) return html`${text('closing.unchanged')}`
  const values = { amount: showAmount(difference.abs().toFixed()) }
  return html`${parts(difference.gt(0) ? 'closing.higher' : 'closing.lower', values)}`
}
