import { AMOUNT_DECIMALS, LEDGER_AMOUNT } from '../../../../event-sourcing/ports/ledger.ts'

/**
 * An amount is an integer of 10^-10, in three limbs of base 10^8, lowest first, each with the amount's sign: they add up
 * limb by limb, whatever their signs. Doubles add 90 million limbs exactly (2^53 / 10^8); whoever adds more carries in
 * between.
 */
export const LIMBS = 3
export const BASE = 100_000_000

/** The limbs of a decimal in plain notation. Throws when it is not an amount of a ledger. */
export function toLimbs(decimal: string): readonly number[] {
  const [, sign, whole, fraction = ''] = LEDGER_AMOUNT.exec(decimal) ?? []
  if (whole === undefined) throw new Error(`${decimal} is not an amount that a ledger can add up`)
  // At most 14 and 10 digits: exact, and the highest limb fits into 32 bits, too. The decimals fill the lowest limb and two digits of the one above.
  const [units, parts] = [Number(whole), Number(fraction.padEnd(AMOUNT_DECIMALS, '0'))]
  const limbs = [parts % BASE, (units % 1_000_000) * 100 + Math.floor(parts / BASE), Math.floor(units / 1_000_000)]
  // 0 - 0 is no -0.
  return sign === '-' ? limbs.map((limb) => 0 - limb) : limbs
}

/** The decimal that sums of limbs make, lowest first, in plain notation without trailing zeros. */
export function toDecimal(limbs: readonly number[]): string {
  const scaled = limbs.reduceRight((sum, limb) => sum * BigInt(BASE) + BigInt(limb), 0n)
  const sign = scaled < 0n ? '-' : ''
  const digits = String(scaled < 0n ? -scaled : scaled).padStart(AMOUNT_DECIMALS + 1, '0')
  const fraction = digits.slice(-AMOUNT_DECIMALS).replace(/0+$/, '')
  return `${sign}${digits.slice(0, -AMOUNT_DECIMALS)}${fraction === '' ? '' : `.${fraction}`}`
}
