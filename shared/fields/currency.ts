import * as iso4217 from 'dinero.js/currencies'
import { z } from 'zod'
import { typeMessage } from './rule.ts'

/** Decimals of each currency by ISO 4217, which `Intl` differs from for some; by code. */
const DECIMALS: ReadonlyMap<string, number> = new Map(
  // Of two currencies the smaller unit is a fifth; ISO gives them two decimals.
  Object.values(iso4217).map(({ code, base, exponent }) => [code, base === 10 ? exponent : 2]),
)

/** Those of most currencies, and where none is set. */
const USUAL_DECIMALS = 2

/**
 * How many decimals an amount is billed with in a currency; `""`: none is set. Throws an Error for an unknown currency,
 * which a newer Mint has set: its amounts must not come out in other decimals.
 */
export function decimalsOf(currency: string): number {
  const decimals = currency === '' ? USUAL_DECIMALS : DECIMALS.get(currency)
  if (decimals !== undefined) return decimals
  throw new Error(`The firm’s currency ${currency} is unknown: run the version of Mint that set it, or a newer one.`)
}

const unusual = [...DECIMALS].filter(([, decimals]) => decimals !== USUAL_DECIMALS)
const EXPECTED = 'a code of ISO 4217 in capital letters, for example EUR, or ""'

/** A currency by its code, or `""` for none. The document says which ones don’t have two decimals. */
export const currencyOrEmpty = z
  .enum(['', ...DECIMALS.keys()], {
    error: (issue) =>
      typeof issue.input === 'string' ? `Not a currency. Give ${EXPECTED}.` : typeMessage(EXPECTED)(issue),
  })
  .meta({ 'x-enumDecimals': Object.fromEntries(unusual) })
