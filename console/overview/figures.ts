import { html, nothing, type TemplateResult } from 'lit-html'
import { decimals } from '../format/formats.ts'
import type { PageContext } from '../frame/page.ts'
import { locales, text } from '../languages/texts.ts'
import { type Billed, billedTax, type Sums } from './sums.ts'

interface AmountOptions {
  /** The lines behind it. */
  readonly href?: string
  /** Whether Tab skips the link, because another one in its row leads to the same place. */
  readonly isRepeated?: boolean
  /** Whether it is shown with its sign. */
  readonly isDifference?: boolean
  /** All digits, where the value is what was billed. */
  readonly all?: string
  /** Whether all digits are always shown. */
  readonly isWhole?: boolean
}

/** Amounts of a report: rounded, or with all digits on request. */
export function createFigures({ update }: PageContext) {
  let isExact = false
  const toggleExact = () => {
    isExact = !isExact
    update()
  }

  function amount(value: string, options: AmountOptions = {}): TemplateResult {
    const { href, isRepeated = false, isDifference = false, all = value, isWhole } = options
    const signed = (shown: string) => (isDifference && Number(value) > 0 ? `+${shown}` : shown)
    const exact = signed(decimals.inFull(all))
    const shown = isExact ? exact : signed(isWhole ? decimals.inFull(value) : decimals.rounded(value))
    const figure = html`<data value=${isExact ? all : value}>${shown}</data>`
    const title = isExact || (decimals.isRound(all) && all === value) ? '' : text('fields.exactly', { amount: exact })
    if (href === undefined) return html`<span title=${title}>${figure}</span>`
    return link(figure, { href, title, isRepeated })
  }

  return {
    /** The button that shows or hides all digits. */
    toggle: () =>
      html`<button type="button" aria-pressed=${isExact} @click=${toggleExact}>${text('overview.exactAmounts')}</button>`,
    amount,
    /** What was billed with tax. */
    total: ({ billed, totalFeeWithTax }: Billed, options?: AmountOptions): TemplateResult =>
      amount(billed, { ...options, all: totalFeeWithTax }),
    /** The tax that was billed. */
    tax: (sums: Pick<Sums, 'billed' | 'serviceFee' | 'tax'>, options?: AmountOptions): TemplateResult =>
      amount(billedTax(sums), { ...options, all: sums.tax }),
  }
}

export type Figures = ReturnType<typeof createFigures>

const percent = new Intl.NumberFormat([...locales], {
  style: 'percent',
  signDisplay: 'exceptZero',
  maximumFractionDigits: 1,
})

/** A change as a percentage: `+25%`; nothing where there is none to compare with. */
export function showChange(change: number | undefined): TemplateResult | typeof nothing {
  return change === undefined ? nothing : html`<data value=${change}>${percent.format(change)}</data>`
}

/** How many contracts there are, as a link to them. */
export function showCount(count: number, href: string, isRepeated = false): TemplateResult {
  return link(html`<data value=${count}>${decimals.plain(count)}</data>`, { href, title: '', isRepeated })
}

function link(
  figure: TemplateResult,
  { href, title, isRepeated }: { href: string; title: string; isRepeated: boolean },
): TemplateResult {
  return html`<a class="figure" href=${href} title=${title} tabindex=${isRepeated ? -1 : 0}>${figure}</a>`
}
