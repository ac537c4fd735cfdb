/** The decimal mark. */
export type DecimalMark = '.' | ','

/** A text's value under each decimal mark, in Mint's notation; undefined: not a number under that mark. */
export type Readings = Readonly<Record<DecimalMark, string | undefined>>

/** Whether a text is a number in Mint's notation. */
export const isNumber = (text: string): boolean => /^-?\d+(\.\d+)?$/.test(text)

/** Reads numbers as people and spreadsheets write them, with the sign of a currency or percentage. */
export interface NumberReader {
  /**
   * Both readings of a text. They differ for only one form, one to three digits, a point or comma, and three more: `1.234`
   * is over a thousand to some, and little more than one to others.
   */
  readings(text: string): Readings
  /** A text's value in these locales; undefined: not a number, or ambiguous. */
  read(text: string): string | undefined
  /** The locales' decimal mark; undefined: money uses another one than other numbers. */
  readonly mark: DecimalMark | undefined
}

/** Creates a reader for the locales of a browser, the preferred one first. */
export function createNumberReader(locales: readonly string[]): NumberReader {
  const latin = { numberingSystem: 'latn', useGrouping: 'always' } as const
  const plain = new Intl.NumberFormat([...locales], latin)
  // Some countries write money differently from other numbers: Austria groups it with points, and the rest with spaces.
  const money = new Intl.NumberFormat([...locales], { ...latin, style: 'currency', currency: 'EUR' })
  const marks = (type: 'decimal' | 'group') => new Set([plain, money].map((format) => signOf(format, type)))
  const [decimal, group] = [marks('decimal'), marks('group')]
  /** Not all locales group by three digits: 12,34,567 in India. */
  const isOwnGrouping = (whole: string) =>
    whole === unified(plain.format(whole.replace(/\D/g, '') as Intl.StringNumericLiteral))

  function readings(text: string): Readings {
    const [, before, within, body = '', after, end] = NUMBER.exec(unified(text).trim()) ?? []
    const signs = [before, within, after, end].filter((sign) => sign !== undefined).join('')
    if (!SIGNS.includes(signs)) return { '.': undefined, ',': undefined }
    const under = (mark: DecimalMark) => {
      const number = readUnder(body, mark, isOwnGrouping)
      return number && (POSITIVE.includes(signs) ? '' : '-') + number
    }
    return { '.': under('.'), ',': under(',') }
  }

  return {
    readings,
    read(text) {
      const { '.': point, ',': comma } = readings(text)
      if (point === undefined || comma === undefined || point === comma) return point ?? comma
      const mark = point.includes('.') ? '.' : ','
      if (decimal.has(mark) === group.has(mark)) return undefined
      return (mark === '.') === decimal.has(mark) ? point : comma
    },
    mark: (['.', ','] as const).find((mark) => decimal.has(mark) && decimal.size === 1),
  }
}

/** `$`, `US$`, `$ US`, `USD`, and what some countries write in place of a sign. */
const CODES = Intl.supportedValuesOf('currency').join('|')
const UNIT = `(?:(?:\\p{Lu}{1,3} ?)?\\p{Sc}(?: ?\\p{Lu}{1,3})?|${CODES}|kr\\.?|zł|Kč|Ft|lei|Fr\\.|Rs\\.?|%)`
/**
 * A minus sign can be in many places, and so can the parentheses that accountants write instead. A cell may begin with the
 * apostrophe that keeps spreadsheets from reading a formula.
 */
const NUMBER = new RegExp(
  `^'?([-+(])? ?(?:(?:${UNIT}) ?([-(])? ?)?(\\d(?:[\\d.,٫٬' ]*\\d)?)([-)])?(?: ?${UNIT})?(\\))?$`,
  'u',
)
/** One sign at most. */
const POSITIVE = ['', '+']
const SIGNS = [...POSITIVE, '-', '()']

/** Grouped by three digits with one sign, or not at all. The first group doesn't begin with 0. */
const WHOLE = {
  '.': /^(?:\d+|[1-9]\d{0,2}([,٬' ])\d{3}(?:\1\d{3})*)$/,
  ',': /^(?:\d+|[1-9]\d{0,2}([.٬' ])\d{3}(?:\1\d{3})*)$/,
}

function readUnder(body: string, mark: DecimalMark, isOwnGrouping: (whole: string) => boolean): string | undefined {
  const [whole = '', fraction, ...more] = body.replace('٫', mark).split(mark)
  const isWhole = WHOLE[mark].test(whole) || (whole !== '' && isOwnGrouping(whole))
  if (!isWhole || more.length > 0 || (fraction !== undefined && !/^\d+$/.test(fraction))) return undefined
  // JSON has no numbers that begin with a zero.
  const digits = whole.replace(/\D/g, '').replace(/^0+(?=\d)/, '')
  return fraction === undefined ? digits : `${digits}.${fraction}`
}

/** What a format writes before decimals, or between groups of digits. */
export const signOf = (format: Intl.NumberFormat, type: 'decimal' | 'group'): string | undefined =>
  format.formatToParts(1_234_567.5).find((part) => part.type === type)?.value

/**
 * With one kind each of digits, spaces, apostrophes, commas and minus signs, without direction marks, and without the
 * dash that German and Swiss prices have in place of zero cents: 100.– or 100,--.
 */
function unified(text: string): string {
  return text
    .replace(/[\u200e\u200f\u061c]/g, '')
    .replace(/\s/g, ' ')
    .replace(/[’ʼ]/g, "'")
    .replace(/[،⹁]/g, ',')
    .replace(/[−–—]/g, '-')
    .replace(/[.,]--?(?![\d-])/, '')
    .replaceAll('٪', '%')
    .replace(/(?![0-9])\p{Nd}/gu, (digit) => String(digitOf(digit)))
}

/** In Unicode the digits 0 to 9 of each script are contiguous. */
function digitOf(digit: string): number {
  const code = digit.codePointAt(0) ?? 0
  let below = 0
  while (/\p{Nd}/u.test(String.fromCodePoint(code - below - 1))) below += 1
  return below % 10
}
