import { AMOUNT_DECIMALS, LEDGER_AMOUNT, type Rounding } from '../../../event-sourcing/ports/ledger.ts'

const ONE = 10 ** AMOUNT_DECIMALS
const SCALE = BigInt(ONE)

/** The columns of an amount: `units` + `rest` / 10^10, with 0 ≤ rest < 10^10, so that sums of both need no sign. */
export const amountColumns = (amount: string): [units: string, rest: string] => [amount, `${amount}_rest`]

/** A decimal in plain notation as the numbers of its columns. Throws when it is not an amount of a ledger. */
export function encodeAmount(decimal: string): [units: number, rest: number] {
  const [, sign, whole, fraction = ''] = LEDGER_AMOUNT.exec(decimal) ?? []
  if (whole === undefined) throw new Error(`${decimal} is not an amount that a ledger can add up`)
  // At most 14 and 10 digits: exact.
  const [units, rest] = [Number(whole), Number(fraction.padEnd(AMOUNT_DECIMALS, '0'))]
  if (sign === '') return [units, rest]
  // 0 - 0 is no -0.
  return rest === 0 ? [0 - units, 0] : [-units - 1, ONE - rest]
}

/** Expressions for the sums of an amount's columns. */
export const sumsOf = (amount: string): string[] => amountColumns(amount).map((column) => `sum(${column})`)

/** Expressions for the sums of the columns of an amount rounded half away from zero; none without a rounding. */
export function roundedSums(rounding: Rounding | undefined): string[] {
  if (rounding === undefined) return []
  const [units, rest] = amountColumns(rounding.of)
  const step = 10 ** (AMOUNT_DECIMALS - rounding.decimals)
  // A rest is never negative: half of a step below zero goes down, all others up. The shift is -1 below zero, else 0.
  return [`sum(${units})`, `sum((${rest} + (${units} >> 63) + ${step / 2}) / ${step}) * ${step}`]
}

/** The amount, or sum of amounts, that the columns or their sums represent, in units of 10^-10. */
export const toScaled = (units: bigint, rest: bigint): bigint => units * SCALE + rest

/** Units of 10^-10 as a decimal in plain notation, without trailing zeros. */
export function toDecimal(scaled: bigint): string {
  const sign = scaled < 0n ? '-' : ''
  const digits = String(scaled < 0n ? -scaled : scaled).padStart(AMOUNT_DECIMALS + 1, '0')
  const fraction = digits.slice(-AMOUNT_DECIMALS).replace(/0+$/, '')
  return `${sign}${digits.slice(0, -AMOUNT_DECIMALS)}${fraction === '' ? '' : `.${fraction}`}`
}
