import { html, type TemplateResult } from 'lit-html'
import { decimals } from '../format/formats.ts'
import { type Column, showTable } from '../lists/table.ts'
import type { ImportRun } from './import-run.ts'
import type { OtherFigure } from './totals.ts'

const LABELS = { tax: 'Tax', totalFeeWithTax: 'Total with tax' } as const

/** Warns of figures of the file that Mint computes otherwise. */
export function showOtherFigures({ count, first }: ImportRun['others']): TemplateResult {
  const columns: readonly Column<OtherFigure>[] = [
    ['Line', ({ line }) => decimals.plain(line), 'number'],
    ['Figure', ({ field }) => LABELS[field]],
    ['In the file', ({ inFile }) => decimals.exact(inFile), 'amount'],
    ['Mint computes', ({ computed }) => decimals.exact(computed), 'amount'],
  ]
  return html`<div class="warning" role="alert">
      <p><b>${count === 1 ? 'One figure of the file differs' : `${decimals.plain(count)} figures of the file differ`} from what Mint computes.</b>
        Mint computes the tax from the fee and a percentage. Check which columns are the fee and the tax in percent, and whether these lines are right.</p>
    </div>
    ${showTable({ caption: 'Figures that differ from what Mint computes', columns, rows: first })}
    ${count === first.length ? '' : html`<p class="range">And ${decimals.plain(count - first.length)} more.</p>`}`
}
