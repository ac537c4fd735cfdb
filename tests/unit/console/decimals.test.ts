import assert from 'node:assert/strict'
import Big from 'big.js'
import fc from 'fast-check'
import { parseJson } from '../../../console/api/json.ts'
import { createDecimals, totalWithTax } from '../../../console/format/decimals.ts'
import { forAll } from '../../support/for-all.ts'

const english = createDecimals(['en-US'])
const french = createDecimals(['fr-CA'])
const german = createDecimals(['de-DE'])
const swiss = createDecimals(['de-CH'])
const indian = createDecimals(['en-IN'])
/** Locales whose minus sign is a different character, or follows a direction mark. */
const withOwnMinus = ['sv-SE', 'he-IL', 'fa-IR-u-nu-latn'].map((locale) => createDecimals([locale]))

/** Decimals as the API sends them, with more digits than a double keeps. */
const decimal = fc
  .tuple(fc.constantFrom('', '-'), fc.bigInt({ min: 0n, max: 10n ** 14n }), fc.nat({ max: 9_999_999 }))
  .map(([sign, whole, fraction]) => `${sign}${whole}.${String(fraction).padStart(7, '0')}`)
  .map((text) => new Big(text).plus(0).toFixed())

describe('Decimals in the console', () => {
  it('are shown rounded to two decimals, and with all of their digits on demand', () => {
    assert.equal(english.rounded('21.639175'), '21.64')
    assert.equal(english.exact('21.639175'), '21.639175')
    assert.equal(english.rounded(150), '150.00')
    assert.equal(english.rounded('98765432109876543.215'), '98,765,432,109,876,543.22')
    assert.equal(english.exact('12345678901234567890.1234'), '12,345,678,901,234,567,890.1234')
    assert.equal(german.rounded('1234.5'), '1.234,50')
    assert.equal(german.rounded('-0.003'), '0,00')
    assert.equal(german.rounded('-0.005'), '-0,01')
    assert.equal(english.plain('8.25'), '8.25')
    assert.equal(english.plain('8.2500'), '8.25')
    assert.deepEqual(['1.5', '150', '21.639175'].map(english.isRound), [true, true, false])
  })

  it('show amounts in the firm’s currency with its decimals, as soon as it is known', () => {
    let currency = { code: '', decimals: 2 }
    const [english, german] = [['en-US'], ['de-DE']].map((locales) => createDecimals(locales, () => currency))
    const shown = (value: string) =>
      [english, german].flatMap((one) => [one?.rounded(value), one?.inFull(value), one?.isRound(value)])
    assert.deepEqual(shown('1234.565'), ['1,234.57', '1,234.565', false, '1.234,57', '1.234,565', false])
    currency = { code: 'EUR', decimals: 2 }
    assert.deepEqual(shown('-1234.5'), ['-€1,234.50', '-€1,234.50', true, '-1.234,50\u00a0€', '-1.234,50\u00a0€', true])
    currency = { code: 'JPY', decimals: 0 }
    assert.deepEqual(shown('0.5').slice(0, 3), ['¥1', '¥0.5', false])
    // Intl gives it no decimals, ISO 4217 two.
    currency = { code: 'HUF', decimals: 2 }
    assert.deepEqual(shown('7').slice(0, 3), ['HUF\u00a07.00', 'HUF\u00a07.00', true])
    currency = { code: 'KWD', decimals: 3 }
    assert.deepEqual(shown('1.0005').slice(0, 3), ['KWD\u00a01.001', 'KWD\u00a01.0005', false])
    assert.equal(english?.exact('5'), '5.00')
  })

  it('lose no digit between the API and the screen', () => {
    forAll([decimal], (text) => {
      const { amount } = parseJson(`{"amount":${text}}`)
      assert.equal(english.exact(amount).replaceAll(',', ''), english.exact(text).replaceAll(',', ''))
      assert.ok(new Big(english.exact(amount).replaceAll(',', '')).eq(text))
    })
  })

  it('are typed in the format of the locale, and read back exactly', () => {
    for (const locale of [english, french, german, swiss, indian, ...withOwnMinus]) {
      forAll([decimal], (text) => {
        for (const typed of [locale.input(text), locale.exact(text)]) {
          const read = locale.read(typed)
          assert.ok(read !== undefined && new Big(read).eq(text), `${typed} → ${read}`)
        }
      })
    }
  })

  it('give the total that the contracts service computes', () => {
    assert.equal(totalWithTax('19.99', '8.25'), '21.639175')
    assert.equal(totalWithTax('0.1', '10'), '0.11')
    assert.equal(totalWithTax('-19.99', '8.25'), '-21.639175')
    assert.equal(totalWithTax('999999999999.9999', '999.9999'), '10999998999999.9989000001')
  })
})
