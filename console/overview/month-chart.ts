import { html, nothing, svg, type TemplateResult } from 'lit-html'
import { dates, decimals } from '../format/formats.ts'
import { locales, text } from '../languages/texts.ts'
import type { MonthRow } from './month-rows.ts'
import { barsOf, labelStep, scaleFor } from './scale.ts'

/** Heights in pixels; widths are percentages of the space available, so that text keeps its size. */
const PLOT = 220
const LABELS = 40
const TOP = 10

interface ChartOptions {
  readonly rows: readonly MonthRow[]
  /** Shows the lines of a month. */
  readonly open: (month: string, year: 'this' | 'before') => void
}

/**
 * What was billed by month, next to the year before. For screen readers it is one image, with its figures in the table
 * below; so are its links for the keyboard.
 */
export function showChart({ rows, open }: ChartOptions): TemplateResult {
  const amounts = rows.flatMap(({ sums, before }) => [Number(sums.billed), Number(before.billed)])
  const { top, bottom, ticks } = scaleFor(Math.min(0, ...amounts), Math.max(0, ...amounts))
  const yOf = (value: number) => TOP + (PLOT * (top - value)) / (top - bottom)
  const bar = (row: MonthRow, year: 'this' | 'before', { x, width }: { x: string; width: string }) => {
    const { billed } = year === 'this' ? row.sums : row.before
    // Where credits exceed what was billed, the bar goes down from 0.
    const y = yOf(Math.max(0, Number(billed)))
    const end = yOf(Math.min(0, Number(billed)))
    const [month, amount] = [dates.month(row.month), decimals.rounded(billed)]
    const now = text('format.labelled', { label: month, value: amount })
    const title = year === 'this' ? now : text('overview.barBefore', { month, amount })
    // A low bar is hard to click: the area above it belongs to it.
    return svg`<g class="month" @click=${() => open(row.month, year)}><title>${title}</title>
      <rect class="area" x=${x} width=${width} y=${TOP} height=${PLOT}/>
      <rect class=${`bar ${year}`} x=${x} width=${width} y=${y} height=${end - y}/></g>`
  }
  const month = (row: MonthRow, index: number) => {
    const { before, now, middle } = barsOf(index, rows.length)
    return svg`${bar(row, 'before', before)}${bar(row, 'this', now)}${monthLabel(row.month, index, rows.length, middle)}`
  }
  return html`<figure class="chart">
    <figcaption>
      <span class="legend"><svg class="swatch" aria-hidden="true"><rect class="bar this" width="100%" height="100%"/></svg>${text('overview.billed')}</span>
      <span class="legend"><svg class="swatch" aria-hidden="true"><rect class="bar before" width="100%" height="100%"/></svg>${text('overview.billedBefore')}</span>
    </figcaption>
    <div class="chart-box" role="img" aria-label=${text('overview.chart')}>
      <svg class="axis" height=${TOP + PLOT + LABELS}>
        ${ticks.map((tick) => svg`<text x="100%" dx="-8" y=${yOf(tick)} dy="0.32em" text-anchor="end">${shortAmount.format(tick)}</text>`)}
      </svg>
      <svg class="plot" height=${TOP + PLOT + LABELS}>
        ${ticks.map((tick) => svg`<line class="grid" x1="0" x2="100%" y1=${yOf(tick)} y2=${yOf(tick)}/>`)}
        ${rows.map(month)}
      </svg>
    </div>
  </figure>`
}

/** As many labels as there is room for; the first one of a year names it. */
function monthLabel(month: string, index: number, count: number, x: string) {
  if (index % labelStep(count) !== 0) return nothing
  const date = new Date(`${month}-01`)
  const namesYear = index === 0 || month.endsWith('-01') || count > 24
  const isSpare = (index / labelStep(count)) % 2 === 1
  return svg`<text class=${isSpare ? 'spare' : ''} x=${x} y=${TOP + PLOT + 16} text-anchor="middle">${shortMonth.format(date)}</text>
    ${namesYear ? svg`<text class=${isSpare ? 'spare' : ''} x=${x} y=${TOP + PLOT + 32} text-anchor="middle">${month.slice(0, 4)}</text>` : nothing}`
}

const shortMonth = new Intl.DateTimeFormat([...locales], { month: 'short', timeZone: 'UTC' })
const shortAmount = new Intl.NumberFormat([...locales], { notation: 'compact' })
