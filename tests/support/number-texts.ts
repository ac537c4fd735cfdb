import fc from 'fast-check'

const digits = (maxLength: number) =>
  fc.oneof(
    fc.array(fc.constantFrom(...'0012345678999'), { minLength: 1, maxLength: 30 }).map((all) => all.join('')),
    fc.tuple(fc.constantFrom('0', '1', '9'), fc.integer({ min: 1, max: maxLength })).map(([one, n]) => one.repeat(n)),
  )

/** Numbers as JSON writes them, including long and extreme ones. */
export const numberTexts = fc
  .record({
    sign: fc.constantFrom('', '', '', '-'),
    whole: digits(400).map((all) => all.replace(/^0+(?=\d)/, '')),
    fraction: fc.option(digits(400), { nil: undefined }),
    exponent: fc.option(fc.tuple(fc.constantFrom('e', 'E', 'e+', 'e-', 'E-', 'e-'), digits(500)), { nil: undefined }),
  })
  .map(({ sign, whole, fraction, exponent = [] }) =>
    [sign, whole, fraction === undefined ? '' : `.${fraction}`, ...exponent].join(''),
  )

/** Whether a JSON number is from -`max` to `max` with at most this many decimals, judged by its digits alone. */
export function isWithin(
  text: string,
  { max, decimals }: { readonly max: bigint; readonly decimals: number },
): boolean {
  const [, whole = '', fraction = '', exponent = '0'] = /^-?(\d+)(?:\.(\d+))?(?:e\+?(-?\d+))?$/i.exec(text) ?? []
  const significant = `${whole}${fraction}`.replace(/^0+|0+$/g, '')
  if (significant === '') return true
  const zeros = `${whole}${fraction}`.length - `${whole}${fraction}`.replace(/0+$/, '').length
  // The number is `significant` × 10 ^ power.
  const power = BigInt(exponent) - BigInt(fraction.length) + BigInt(zeros)
  if (power < -BigInt(decimals) || power > 30n || significant.length > 60) return false
  const units = 10n ** BigInt(decimals)
  return (
    (BigInt(significant) * units * 10n ** (power < 0n ? 0n : power)) / 10n ** (power < 0n ? -power : 0n) <= max * units
  )
}
