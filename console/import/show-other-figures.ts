import { html, type TemplateResult } from 'lit-html'
import { decimals } from '../format/formats.ts'
import { text } from '../languages/texts.ts'
import { type Column, showTable } from '../lists/table.ts'
import type { ImportRun } from './import-run.ts'
import type { OtherFigure } from './totals.ts'

/** Warns of figures in the file that differ from what Mint computes. */
export function showOtherFigures({ count, first }: ImportRun['others']): TemplateResult {
  const columns: readonly Column<OtherFigure>[] = [
    [text('import.line'), ({ line }) => decimals.plain(line), 'number'],
    [text('import.figure'), ({ field }) => text(field === 'tax' ? 'overview.tax' : 'field.totalFeeWithTax')],
    [text('import.inFile'), ({ inFile }) => decimals.exact(inFile), 'amount'],
    [text('import.computed'), ({ computed }) => decimals.exact(computed), 'amount'],
  ]
  return html`<div class="warning" role="alert">
      <p><b>${text('import.figuresDiffer', { count })}</b> ${text('import.figuresAdvice')}</p>
    </div>
    ${showTable({ caption: text('import.figuresCaption'), columns, rows: first })}
    ${count === first.length ? '' : html`<p class="range">${text('import.andMore', { count: count - first.length })}</p>`}`
}
