import Big from 'big.js'
import { html, nothing, type TemplateResult } from 'lit-html'
import { showAmount, showMoment } from '../fields/show.ts'
import { dates } from '../format/formats.ts'
import { parts, text } from '../languages/texts.ts'
import { type Column, showFolded } from '../lists/table.ts'
import {
  type ClosedMonth,
  closedMonths,
  monthsToShow,
  SHOWN_MONTHS,
  type SpanReports,
  totalsOf,
} from './closed-months.ts'

/** What closed months billed when they were closed, and what they bill now. */
export function showTotals(reports: readonly SpanReports[]): TemplateResult | typeof nothing {
  const months = closedMonths(reports)
  if (months.length === 0) return nothing
  const shown = monthsToShow(months)
  const { before, now } = totalsOf(reports)
  const all: ClosedMonth = { month: '', since: '', before: before.billed, now: now.billed }
  const columns: readonly Column<ClosedMonth>[] = [
    [text('word.month'), ({ month }) => (month === '' ? text('word.allMonths') : dates.month(month))],
    [text('closing.closedSince'), ({ since }) => since && showMoment(since), 'moment'],
    [text('closing.billedThen'), ({ before }) => showAmount(before), 'amount'],
    [text('closing.billedNow'), ({ now }) => showAmount(now), 'amount'],
    [text('word.difference'), ({ before, now }) => html`<span>${showDifference(before, now)}</span>`, 'amount'],
  ]
  const caption = text('closing.totalsCaption')
  return html`${showFolded(SHOWN_MONTHS, { caption, columns, rows: shown, foot: [all] })}
    ${shown.length === months.length ? nothing : html`<p class="range">${text('closing.earlierIfChanged')}</p>`}`
}

/** In words, as a sign alone is easily missed. */
export function showDifference(before: string, now: string): TemplateResult {
  const difference = new Big(now).minus(before)
  if (difference.eq(0)) return html`${text('closing.unchanged')}`
  const values = { amount: showAmount(difference.abs().toFixed()) }
  return html`${parts(difference.gt(0) ? 'closing.higher' : 'closing.lower', values)}`
}
