import Big from 'big.js'

/** A JSON number that a double can't hold exactly. */
export class ExactNumber {
  /** The same text for equal numbers, however they were written: `600000000000.00030` → `600000000000.0003`. */
  readonly text: string

  constructor(number: Big) {
    this.text = number.toString()
  }
}

/**
 * Parses JSON, with numbers that a double can't hold exactly as ExactNumber, so that rules see what was sent
 * (`19.990000000000000001` would become 19.99). With more than MAX_VALUES values, all numbers remain doubles, since exact
 * ones take 80 times as long to parse. Throws SyntaxError.
 */
export function parseJson(text: string): unknown {
  const value: unknown = JSON.parse(text)
  return MAY_BE_CHANGED.test(text) && !hasTooManyValues(value) ? JSON.parse(text, exactly) : value
}

/** Several times as many values, at any depth, as any message to Mint needs; no rule accepts more. */
export const MAX_VALUES = 1_000

/** Whether a JSON value, itself included, has more than MAX_VALUES values at any depth. */
export function hasTooManyValues(value: unknown): boolean {
  const values = [value]
  for (const one of values) {
    const inner = typeof one === 'object' && one !== null ? Object.values(one) : []
    if (values.length + inner.length > MAX_VALUES) return true
    values.push(...inner)
  }
  return false
}

/** A double distinguishes all decimals of up to 15 digits, unless the exponent is near the end of its range. */
const MAY_BE_CHANGED = /[\d.]{16}|e-\d{3}/i

/**
 * Numbers closer to zero get this exponent; no rule allows them anyway. A text may have an exponent of 100,000 digits, and
 * Big can't read what it writes itself for one of more than 21.
 */
const LOWEST_EXPONENT = -1_000_000_000

function exactly(_name: string, value: unknown, { source }: { readonly source?: string } = {}): unknown {
  if (typeof value !== 'number' || !Number.isFinite(value) || source === undefined) return value
  const exact = new Big(source)
  exact.e = Math.max(exact.e, LOWEST_EXPONENT)
  return exact.eq(value) ? value : new ExactNumber(exact)
}
