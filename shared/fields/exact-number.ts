import Big from 'big.js'

/** A JSON number that a double would change. */
export class ExactNumber {
  /** One text for each number, whatever it was written like: `600000000000.00030` → `600000000000.0003`. */
  readonly text: string

  constructor(number: Big) {
    this.text = number.toString()
  }
}

/**
 * Parses JSON, but numbers that a double would change come as ExactNumber, so that rules see what was sent
 * (`19.990000000000000001` would be 19.99). Throws SyntaxError.
 */
export function parseJson(text: string): unknown {
  return MAY_BE_CHANGED.test(text) ? JSON.parse(text, exactly) : JSON.parse(text)
}

/** A double holds every decimal of up to 15 digits, as long as its exponent is none of the last ones. */
const MAY_BE_CHANGED = /[\d.]{16}|e-\d{3}/i

/**
 * Numbers closer to zero take this exponent: no rule allows any of them. A text may have an exponent of 100,000 digits,
 * and Big can't read what it writes for one of more than 21.
 */
const LOWEST_EXPONENT = -1_000_000_000

function exactly(_name: string, value: unknown, { source }: { readonly source?: string } = {}): unknown {
  if (typeof value !== 'number' || !Number.isFinite(value) || source === undefined) return value
  const exact = new Big(source)
  exact.e = Math.max(exact.e, LOWEST_EXPONENT)
  return exact.eq(value) ? value : new ExactNumber(exact)
}
