import assert from 'node:assert/strict'
import Big from 'big.js'
import fc from 'fast-check'
import { createNumberReader } from '../../../console/format/numbers.ts'
import { forAll } from '../../support/for-all.ts'
import { everyLocale } from '../../support/locales.ts'

/** Many have three decimals, which can look like a group, and some are grouped but have no decimals. */
const decimal = fc
  .tuple(
    fc.bigInt({ min: -(10n ** 13n), max: 10n ** 13n }),
    fc.constantFrom(0, 1, 2, 3, 3, 4),
    fc.constantFrom(1n, 1000n),
  )
  .map(([units, decimals, divisor]) => new Big(String(units / divisor ** 3n)).div(10 ** decimals).toFixed(decimals))

/** Whether the reader asks about an ambiguous number by giving both readings, one of which is right. */
const isAsked = (readings: Readonly<Record<string, string | undefined>>, value: string): boolean =>
  Object.values(readings).every((reading) => reading !== undefined) &&
  Object.values(readings).some((reading) => new Big(reading ?? '').eq(value))

describe('Numbers as people write them', () => {
  const english = createNumberReader(['en-US'])
  const german = createNumberReader(['de-DE'])
  const french = createNumberReader(['fr-CA'])

  it('are read as meant in every locale of the runtime, or asked about, and never misread', () => {
    assert.ok(everyLocale.length > 300, `${everyLocale.length} locales`)
    const styles: readonly Intl.NumberFormatOptions[] = [
      {},
      { useGrouping: 'always' },
      { useGrouping: false },
      { numberingSystem: 'latn' },
      { style: 'currency', currency: 'EUR' },
      { style: 'currency', currency: 'USD', currencyDisplay: 'code' },
      { style: 'currency', currency: 'EUR', currencySign: 'accounting' },
    ]
    for (const locale of everyLocale) {
      const reader = createNumberReader([locale])
      for (const style of styles) {
        forAll([decimal], { numRuns: 8 }, (value) => {
          const decimals = value.split('.')[1]?.length ?? 0
          const format = new Intl.NumberFormat(locale, {
            ...style,
            minimumFractionDigits: decimals,
            maximumFractionDigits: decimals,
          })
          const text = format.format(value as Intl.StringNumericLiteral)
          const read = reader.read(text)
          if (read === undefined) assert.ok(isAsked(reader.readings(text), value), `${locale}: ${text} isn't read`)
          else assert.ok(new Big(read).eq(value), `${locale}: ${text} → ${read}`)
        })
      }
    }
  })

  it('have one reading if their form allows no other, whatever the locale', () => {
    for (const reader of [english, german, french]) {
      for (const [text, number] of [
        ['19,99', '19.99'],
        ['19.99', '19.99'],
        ['0.125', '0.125'],
        ['0,125', '0.125'],
        ['1.000.000', '1000000'],
        ['1,000,000', '1000000'],
        ['1.234,567', '1234.567'],
        ['12345.678', '12345.678'],
        ['1 234,567', '1234.567'],
        ["1'234.50", '1234.50'],
        ['$1,234.50', '1234.50'],
        ['12,50 €', '12.50'],
        ['1 234,50 $ US', '1234.50'],
        ['CHF 1’234.50', '1234.50'],
        ['-$5', '-5'],
        ["'-5,5", '-5.5'],
        ['€ 5-', '-5'],
        ['–5', '-5'],
        ['(19.99)', '-19.99'],
        ['($19.99)', '-19.99'],
        ['$ (1,234.50)', '-1234.50'],
        ['(19,99) €', '-19.99'],
        ['(19,99 €)', '-19.99'],
        ['8,25 %', '8.25'],
        ['007.50', '7.50'],
        ['00', '0'],
        ['+5', '5'],
        ["'+1.234,50 €", '1234.50'],
        ['CHF 100.–', '100'],
        ['1’000.-- Fr.', '1000'],
        ['–1 000,— €', '-1000'],
        ['Rs. 1,234.50', '1234.50'],
      ] as const) {
        assert.equal(reader.read(text), number, text)
      }
    }
  })

  it('with three digits after a mark that locales read differently mean what they mean in the locale', () => {
    const read = (locale: string, text: string) => createNumberReader([locale]).read(text)
    assert.deepEqual(['1,234', '1.234'].map(english.read), ['1234', '1.234'])
    assert.deepEqual(['1,234', '1.234'].map(german.read), ['1.234', '1234'])
    // Austria groups money with points, and other numbers with spaces.
    assert.equal(read('de-AT', '1.234'), '1234')
    // A mark that the locale doesn't use is asked about.
    assert.deepEqual([french.read('1.234'), french.readings('1.234')], [undefined, { '.': '1.234', ',': '1234' }])
    assert.deepEqual(
      ['Fr. 1.234', 'Fr. 1,234'].map((text) => read('de-CH', text)),
      ['1.234', undefined],
    )
  })

  it('are refused in any other form', () => {
    const refused = [
      '',
      '1e3',
      '1.2.3',
      '.5',
      '5.',
      'abc',
      '0x10',
      '1 2',
      '12,34,567.8',
      '01,234.5',
      '0.125.000',
      '1,23,456',
    ]
    for (const text of [
      ...refused,
      '1.234.56',
      '--5',
      '-+5',
      '+5-',
      '5.-5',
      '5.---',
      '-$-5',
      '-5-',
      '(-5)',
      '(5-)',
      '-(5)',
      '(−5)',
      '(5',
      '5)',
      '((5))',
      '(5)-',
      '()',
      '5-6',
      '5²',
      '½',
      'ABC 5',
      '1,234 567',
      '1.234 000',
    ]) {
      assert.deepEqual(english.readings(text), { '.': undefined, ',': undefined }, text)
    }
    assert.equal(createNumberReader(['en-IN']).read('12,34,567.8'), '1234567.8')
  })

  it('can have the digits of every script', () => {
    for (const numberingSystem of Intl.supportedValuesOf('numberingSystem')) {
      const text = new Intl.NumberFormat('en', { numberingSystem }).format(9_876_543_210)
      // Chinese numerals are not digits in Unicode.
      if (numberingSystem !== 'hanidec') assert.equal(english.read(text), '9876543210', text)
    }
  })

  it('report which decimal mark a country uses, if it uses only one', () => {
    const marks = ['en-US', 'de-DE', 'de-AT', 'de-CH', 'fr-CH', 'ar-EG'].map((one) => createNumberReader([one]).mark)
    assert.deepEqual(marks, ['.', ',', ',', '.', undefined, '.'])
  })
})
