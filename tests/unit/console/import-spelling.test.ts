import assert from 'node:assert/strict'
import fc from 'fast-check'
import { createSpellingGuess, respell, type Spelling, writesMonthFirst } from '../../../console/import/spelling.ts'

const german: Spelling = { decimalMark: ',', dateOrder: 'dmy' }
const american: Spelling = { decimalMark: '.', dateOrder: 'mdy' }
const plain: Spelling = { decimalMark: '.', dateOrder: 'ymd' }

function guess(cells: readonly string[], isMonthFirst = false): Spelling {
  const spelling = createSpellingGuess(isMonthFirst)
  for (const cell of cells) spelling.see(cell)
  return spelling.guess()
}

describe('The spelling of an imported file', () => {
  it('is guessed from all cells', () => {
    assert.deepEqual(guess(['Annual accounts', '19', '1.234,56', '13.11.2026']), german)
    assert.deepEqual(guess(['1,234.56', '11/13/2026', '01/02/2026']), american)
    assert.deepEqual(guess(['19.99', '2026-11-13', '1, 2 and 3']), plain)
    assert.deepEqual(guess(['330,5 €', '13/11/2026']), german)
  })

  it('is Mint’s own if cells contradict each other or give no hint', () => {
    assert.deepEqual(guess(['1,50', '1.50']), plain)
    assert.deepEqual(guess(['1,500', '1.500', '300']), plain)
  })

  it('follows the locale for dates that can be read both ways', () => {
    assert.equal(guess(['01/02/2026'], true).dateOrder, 'mdy')
    assert.equal(guess(['01/02/2026'], false).dateOrder, 'dmy')
    assert.deepEqual([writesMonthFirst(['en-US']), writesMonthFirst(['en-GB'])], [true, false])
  })

  it('recovers every number and date that a spreadsheet has written', () => {
    const amount = fc.bigInt({ min: 0n, max: 10n ** 16n })
    fc.assert(
      fc.property(amount, fc.boolean(), fc.constantFrom('de-DE', 'en-US'), (units, useGrouping, locale) => {
        const text = `${units / 10_000n}.${String(units % 10_000n).padStart(4, '0')}`
        const format = new Intl.NumberFormat(locale, { minimumFractionDigits: 4, useGrouping })
        const spelling = locale === 'de-DE' ? german : american
        assert.equal(respell(format.format(text as Intl.StringNumericLiteral), 'amount', spelling), text)
      }),
    )
    assert.equal(respell(' 1.234,56\u00a0€', 'amount', german), '1234.56')
    assert.equal(respell('19 %', 'decimal', german), '19')
    assert.equal(respell('1.234', 'amount', german), '1234')
    assert.equal(respell('3.1.2026', 'date', german), '2026-01-03')
    assert.equal(respell('11/3/2026', 'date', american), '2026-11-03')
  })

  it('leaves cells with another spelling, and other fields, as they are', () => {
    const left = ['dreihundert', '12,34,5', '1,234', '-1,5', '2026-02-30', '']
    for (const cell of left) assert.equal(respell(cell, 'amount', plain), cell)
    assert.equal(respell('1,5', 'amount', american), '1,5')
    assert.equal(respell('1.5', 'amount', german), '1.5')
    assert.equal(respell('2026-11-13', 'date', german), '2026-11-13')
    assert.equal(respell('13.11.2026', 'date', plain), '13.11.2026')
    assert.equal(respell('1.234,56', 'text', german), '1.234,56')
    assert.equal(respell('1,5', undefined, german), '1,5')
  })
})
