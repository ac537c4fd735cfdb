import assert from 'node:assert/strict'
import { openCsvFile } from '../../../console/import/csv-file.ts'
import { notations } from '../../../console/import/notations.ts'
import { asPercent, shareQuestion } from '../../../console/import/tax-shares.ts'

const opened = (...taxes: readonly string[]) =>
  openCsvFile(new File([['Tax;Fee', ...taxes.map((tax) => `${tax};1`)].join('\n')], 'a.csv'), notations)
const mapping = ['taxPercent', 'serviceFee']

describe('Tax percentages in an imported file', () => {
  it('are asked about if all are fractions of 1, as spreadsheets store percentages', async () => {
    for (const taxes of [['0.19', '0.07'], ['0', '0,19'], ['1']]) {
      assert.equal(shareQuestion(await opened(...taxes), mapping, {})?.name, 'Tax', String(taxes))
    }
    for (const taxes of [['19', '0.5'], ['0.5%'], ['0', '0'], ['', ''], ['tax']]) {
      assert.equal(shareQuestion(await opened(...taxes), mapping, {}), undefined, String(taxes))
    }
    assert.equal(shareQuestion(await opened('0.19'), ['serviceFee', undefined], {}), undefined)
  })

  it('are read according to the answer', async () => {
    const read = async (spelling: 'percent' | 'share', text: string, column = 0) =>
      asPercent({ text }, shareQuestion(await opened('0.19'), mapping, { 'percent-0': spelling }), column).text
    assert.equal(await read('share', '0.19'), '19')
    assert.equal(await read('share', '0.077'), '7.7')
    assert.equal(await read('share', ''), '')
    assert.equal(await read('percent', '0.19'), '0.19')
    assert.equal(await read('share', '0.19', 1), '0.19')
  })
})
