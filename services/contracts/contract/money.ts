/**
 * The fee with its tax: fee × (1 + percent / 100), exact and not rounded, in plain notation without trailing zeros.
 * Both come as decimal strings. Nothing is divided: whole numbers are multiplied, and the point is set afterwards.
 */
export function totalWithTax(fee: string, taxPercent: string): string {
  const decimals = decimalsOf(fee) + decimalsOf(taxPercent) + 2
  // 100 %, in units of the percent's last digit.
  const hundred = 100n * 10n ** BigInt(decimalsOf(taxPercent))
  return withDecimals(withoutPoint(fee) * (hundred + withoutPoint(taxPercent)), decimals)
}

/** How many digits a decimal has after its point. */
function decimalsOf(decimal: string): number {
  const point = decimal.indexOf('.')
  return point < 0 ? 0 : decimal.length - point - 1
}

const withoutPoint = (decimal: string): bigint => BigInt(decimal.replace('.', ''))

/** Sets the point before the last digits, one at the least, and takes zeros after it away. */
function withDecimals(units: bigint, decimals: number): string {
  const digits = String(units).padStart(decimals + 1, '0')
  return `${digits.slice(0, -decimals)}.${digits.slice(-decimals)}`.replace(TRAILING_ZEROS, '')
}

const TRAILING_ZEROS = /\.?0+$/
