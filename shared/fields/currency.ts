import * as iso4217 from 'dinero.js/currencies'
import { z } from 'zod'
import { typeMessage } from './rule.ts'

/** The decimals of each currency by its ISO 4217 code. `Intl` differs from ISO for some. */
const DECIMALS: ReadonlyMap<string, number> = new Map(
  // Two currencies have a minor unit of a fifth; ISO gives them two decimals.
  Object.values(iso4217).map(({ code, base, exponent }) => [code, base === 10 ? exponent : 2]),
)

/** The decimals of most currencies, and while none is set. */
const USUAL_DECIMALS = 2

/**
 * The number of decimals of billed amounts in a currency; `""`: none is set. Throws an Error for an unknown currency, set
 * by a newer Mint, so that amounts are never shown with the wrong decimals.
 */
export function decimalsOf(currency: string): number {
  const decimals = currency === '' ? USUAL_DECIMALS : DECIMALS.get(currency)
  if (decimals !== undefined) return decimals
  throw new Error(`The firm’s currency ${currency} is unknown: run the version of Mint that set it, or a newer one.`)
}

const unusual = [...DECIMALS].filter(([, decimals]) => decimals !== USUAL_DECIMALS)
const EXPECTED = 'an ISO 4217 code in capital letters, for example EUR, or ""'

/** A currency by its code, or `""` for none. The OpenAPI document lists those that don't have two decimals. */
export const currencyOrEmpty = z
  .enum(['', ...DECIMALS.keys()], {
    error: (issue) =>
      typeof issue.input === 'string' ? `Not a currency. Give ${EXPECTED}.` : typeMessage(EXPECTED)(issue),
  })
  .meta({ 'x-enumDecimals': Object.fromEntries(unusual) })
