import { html, nothing, type TemplateResult } from 'lit-html'
import { parts, text } from '../languages/texts.ts'
import { type Figures, showChange, showCount } from './figures.ts'
import { type MonthRow, totalOf } from './month-rows.ts'

interface TilesOptions {
  readonly rows: readonly MonthRow[]
  /** Whether the period can be compared with the year before. */
  readonly isComparable: boolean
  readonly figures: Figures
  /** The lines behind them. */
  readonly href: string
}

/** The sums of the whole period, at a glance. */
export function showTiles({ rows, isComparable, figures, href }: TilesOptions): TemplateResult {
  const { sums } = totalOf(rows)
  const { difference, change } = totalOf(rows.filter(({ isToCome }) => !isToCome))
  const tile = (label: string, figure: TemplateResult, more: TemplateResult | typeof nothing = nothing) =>
    html`<div><dt>${label}</dt><dd class="tile">${figure}${more}</dd></div>`
  const against =
    !isComparable || change === undefined
      ? nothing
      : html`<span class="against">${parts('overview.against', { difference: figures.total(difference, { isDifference: true }), change: showChange(change) })}</span>`
  return html`<dl class="tiles">
    ${tile(text('overview.billed'), figures.total(sums, { href }), against)}
    ${tile(text('overview.fees'), figures.amount(sums.serviceFee, { href, isRepeated: true }))}
    ${tile(text('overview.tax'), figures.tax(sums, { href, isRepeated: true }))}
    ${tile(text('kind.title.contracts'), showCount(sums.count, href, true))}
  </dl>`
}
