import assert from 'node:assert/strict'
import { createDecimals } from '../../../console/format/decimals.ts'
import { otherFigures, withTaxAsAmount } from '../../../console/import/totals.ts'

const { readings } = createDecimals(['en-US'])

describe('The totals of an imported file', () => {
  const mapping = ['serviceFee', 'taxPercent', 'tax', 'totalFeeWithTax']
  const figures = (...cells: string[]) =>
    otherFigures({ line: 7, cells }, { mapping, decimals: 2, read: (text) => ({ text }) })

  it('match what Mint computes if they are the same once rounded', () => {
    assert.deepEqual(figures('33.33', '19', '6.33', '39.66'), [])
    assert.deepEqual(figures('33.33', '19', '6.3327', '39.6627'), [])
    assert.deepEqual(figures('-100', '', '', '-100'), [])
    assert.deepEqual(figures('100', '19', '', ''), [])
  })

  it('are reported with their line and both figures if they differ', () => {
    assert.deepEqual(figures('100', '', '19', '119'), [
      { line: 7, field: 'tax', inFile: '19', computed: '0' },
      { line: 7, field: 'totalFeeWithTax', inFile: '119', computed: '100' },
    ])
    assert.deepEqual(figures('100', '19', '', '119.01'), [
      { line: 7, field: 'totalFeeWithTax', inFile: '119.01', computed: '119' },
    ])
  })

  it('are not compared if a cell is not a number, which is a separate error', () => {
    assert.deepEqual(figures('ten', '19', '', '12'), [])
    assert.deepEqual(figures('10', '19', '', 'twelve'), [])
  })

  it('show that a column beside them has taxes as amounts, in either spelling', () => {
    const guessed = ['serviceFee', 'taxPercent', 'totalFeeWithTax']
    const amounts = ['serviceFee', 'tax', 'totalFeeWithTax']
    assert.deepEqual(withTaxAsAmount(guessed, [['150', '12.38', '162.38']], readings), amounts)
    assert.deepEqual(withTaxAsAmount(guessed, [['1.000,50 €', '190,10', '1.190,60']], readings), amounts)
    assert.deepEqual(withTaxAsAmount(guessed, [['150', '8.25', '162.38']], readings), guessed)
    // If it could be either, it is taken for the usual one.
    assert.deepEqual(withTaxAsAmount(guessed, [['100', '19', '119']], readings), guessed)
    assert.deepEqual(
      withTaxAsAmount(
        guessed,
        [
          ['100', '19', '119'],
          ['50', '9.5', '59.5'],
        ],
        readings,
      ),
      amounts,
    )
    assert.deepEqual(withTaxAsAmount(guessed, [], readings), guessed)
    assert.deepEqual(withTaxAsAmount(['serviceFee', 'taxPercent'], [['1', '2']], readings), [
      'serviceFee',
      'taxPercent',
    ])
  })
})
