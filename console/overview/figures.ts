import { html, type TemplateResult } from 'lit-html'
import { decimals } from '../format/formats.ts'
import type { PageContext } from '../frame/page.ts'
import { text } from '../languages/texts.ts'

interface AmountOptions {
  /** The contracts behind it. */
  readonly href?: string
  /** Whether Tab leaves the link out, as another one of its row leads to the same place. */
  readonly isRepeated?: boolean
  /** Whether it is shown with its sign. */
  readonly isDifference?: boolean
}

/** Amounts of a report: rounded for the eye, or with all digits once somebody asks for them. */
export function createFigures({ update }: PageContext) {
  let isExact = false
  const switchOver = () => {
    isExact = !isExact
    update()
  }
  return {
    /** The button that asks for them. */
    toggle: () =>
      html`<button type="button" aria-pressed=${isExact ? 'true' : 'false'} @click=${switchOver}>${text('overview.exactAmounts')}</button>`,
    amount(value: string, { href, isRepeated = false, isDifference = false }: AmountOptions = {}): TemplateResult {
      const sign = isDifference && Number(value) > 0 ? '+' : ''
      const exact = sign + decimals.inFull(value)
      const figure = html`<data value=${value}>${isExact ? exact : sign + decimals.rounded(value)}</data>`
      const title = isExact || decimals.isRound(value) ? '' : text('fields.exactly', { amount: exact })
      if (href === undefined) return html`<span title=${title}>${figure}</span>`
      return link(figure, { href, title, isRepeated })
    },
  }
}

export type Figures = ReturnType<typeof createFigures>

/** How many contracts there are, leading to them. */
export function showCount(count: number, href: string, isRepeated: boolean): TemplateResult {
  return link(html`<data value=${count}>${decimals.plain(count)}</data>`, { href, title: '', isRepeated })
}

function link(
  figure: TemplateResult,
  { href, title, isRepeated }: { href: string; title: string; isRepeated: boolean },
): TemplateResult {
  return html`<a class="figure" href=${href} title=${title} tabindex=${isRepeated ? -1 : 0}>${figure}</a>`
}
