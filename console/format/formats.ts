import { locales } from '../languages/texts.ts'
import { createDates } from './dates.ts'
import { type Currency, createDecimals, NO_CURRENCY } from './decimals.ts'

/** The only state outside pages: amounts are everywhere, and the firm's currency rarely changes. */
let currency = NO_CURRENCY

/** Shows amounts in another currency from the next update on. */
export function useCurrency(next: Currency): void {
  if (next.code !== currency.code) currency = next
}

/** How many decimals an amount is billed with. */
export const amountDecimals = (): number => currency.decimals

/** The formats of the language that is shown. */
export const decimals = createDecimals(locales, () => currency)
export const dates = createDates(locales)
export const currencyNames = new Intl.DisplayNames([...locales], { type: 'currency', fallback: 'none' })
