import Big from 'big.js'
import { z } from 'zod'
import { ExactNumber } from './exact-number.ts'
import { grouped, typeMessage, violate } from './rule.ts'

/** From `min` to `max`, with at most `decimals` digits after the point that are not trailing zeros. */
export interface DecimalRule {
  readonly min: number
  readonly max: number
  readonly decimals: number
}

/** A decimal as text, as in proto, events and storage. Results in a normalised text: `"019.990"` → `"19.99"`. */
export function decimal(rule: DecimalRule) {
  return decimalText(rule, `${expectedDecimal(rule)}, as a string`)
}

/**
 * An exact decimal to be written to a CSV cell. Not a string, because a text that begins like a formula gets an
 * apostrophe, and `-150` must not.
 */
export interface Amount {
  readonly amount: string
}

/** Marks the decimal of a message as an amount. */
export const toAmount = (amount: string): Amount => ({ amount })

/** A decimal in a CSV cell. Results in the same as `decimal`. */
export function decimalCell(rule: DecimalRule) {
  return decimalText(rule, expectedDecimal(rule))
}

function decimalText(rule: DecimalRule, whenMissing: string) {
  const expected = expectedDecimal(rule)
  const range = rangeOf(rule)
  return z.string({ error: typeMessage(whenMissing) }).transform((value, context) => {
    if (!PLAIN.test(value) || value.length > MAX_LENGTH) {
      const what = value.includes(',') ? COMMA : 'Not a decimal in plain notation'
      violate(context, 'invalid_number', `${what}. Give ${expected}, for example "19.99".`)
      return z.NEVER
    }
    return normalised(value, rule, range, context)
  })
}

/** A decimal as a JSON number from `parseJson`. Results in the normalised text of its exact value: `1e2` → `"100"`. */
export function jsonDecimal(rule: DecimalRule) {
  const range = rangeOf(rule)
  return z
    .custom<number | ExactNumber>(isJsonNumber, { error: typeMessage(expectedDecimal(rule)) })
    .meta({ type: 'number', minimum: rule.min, maximum: rule.max, multipleOf: Number(`1e-${rule.decimals}`) })
    .transform((value, context) =>
      normalised(value instanceof ExactNumber ? value.text : String(value), rule, range, context),
    )
}

const isJsonNumber = (value: unknown): boolean => Number.isFinite(value) || value instanceof ExactNumber

const PLAIN = /^-?\d+(\.\d+)?$/
const MAX_LENGTH = 64
const COMMA = 'Has a comma: decimals need a point, and thousands no separator'

type Range = readonly [Big, Big]

/** Call it once: it takes longer than all the rest of a check. */
const rangeOf = ({ min, max }: DecimalRule): Range => [new Big(min), new Big(max)]

function normalised(text: string, rule: DecimalRule, [min, max]: Range, context: z.core.$RefinementCtx): string {
  const number = new Big(text)
  const inRange = number.gte(min) && number.lte(max)
  // Big stores no trailing zeros.
  const fewDecimals = number.c.length - 1 - number.e <= rule.decimals
  if (!inRange) violate(context, 'out_of_range', `Out of range. Give ${expectedDecimal(rule)}.`)
  if (!fewDecimals) {
    violate(context, 'too_many_decimals', `Has more than ${rule.decimals} decimals. Round it to ${rule.decimals}.`)
  }
  // Only written out if it meets the rule: 1e-999999999 would take a billion zeros.
  if (!inRange || !fewDecimals) return z.NEVER
  return number.c[0] === 0 ? '0' : number.toFixed()
}

function expectedDecimal({ min, max, decimals }: DecimalRule): string {
  return `a number from ${grouped(min)} to ${grouped(max)} with at most ${decimals} decimals`
}
