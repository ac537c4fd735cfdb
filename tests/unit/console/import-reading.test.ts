import assert from 'node:assert/strict'
import { withoutApostrophe } from '../../../console/csv/cells.ts'
import type { ImportField } from '../../../console/import/columns.ts'
import { notations } from '../../../console/import/notations.ts'
import { openCsvFile } from '../../../console/import/open-file.ts'
import { readingOf } from '../../../console/import/reading.ts'

const tax: ImportField = { name: 'taxPercent', label: 'Tax', kind: 'decimal' }
const fee: ImportField = { name: 'serviceFee', label: 'Fee', kind: 'amount' }

interface Options {
  readonly answers?: Parameters<typeof readingOf>[3]
  readonly mapping?: Parameters<typeof readingOf>[2]
  readonly fields?: readonly ImportField[]
}

async function reading(taxes: readonly string[], options: Options = {}) {
  const { answers = {}, mapping = ['taxPercent', 'serviceFee'], fields = [tax, fee] } = options
  const file = new File([['Tax;Fee', ...taxes.map((tax) => `${tax};1`)].join('\n')], 'a.csv')
  return readingOf(await openCsvFile(file, notations), { fields, required: [] }, mapping, answers)
}

describe('A text in an imported file', () => {
  it('keeps the apostrophe of a name, in what is shown and in what is sent', async () => {
    const client: ImportField = { name: 'client', label: 'Client' }
    const { read } = await reading([], { mapping: ['client'], fields: [client] })
    assert.deepEqual(
      ["'t Hooft", "''t Hooft", "'=x"].map((cell) => withoutApostrophe(read(cell, 0).text)),
      [...["'t Hooft", "'t Hooft", '=x']],
    )
  })
})

describe('Tax percentages in an imported file', () => {
  it('are asked about if all are fractions of 1, as spreadsheets store percentages', async () => {
    const asked = async (taxes: readonly string[], options?: Options) =>
      (await reading(taxes, options)).questions.map(({ name, notation }) => [name, notation.type])
    for (const taxes of [['0.19', '0.07'], ['0', '0,19'], ['1']]) {
      assert.deepEqual(await asked(taxes), [['Tax', 'shares']], String(taxes))
    }
    for (const taxes of [['19', '0.5'], ['0.5%'], ['0', '0'], ['', ''], ['tax']]) {
      assert.deepEqual(await asked(taxes), [], String(taxes))
    }
    assert.deepEqual(await asked(['0.19'], { mapping: ['serviceFee', undefined] }), [])
  })

  it('are read according to the answer', async () => {
    const read = async (spelling: 'percent' | 'share', cell: string, column = 0) =>
      (await reading(['0.19'], { answers: { 'percent-0': spelling } })).read(cell, column)
    assert.deepEqual(await read('share', '0.19'), { text: '19' })
    assert.deepEqual(await read('share', '0.077'), { text: '7.7' })
    assert.deepEqual(await read('share', ''), { text: '' })
    assert.deepEqual(await read('share', '19'), { text: '19', problem: 'Not a fraction of 1. Write it like 0.19.' })
    assert.deepEqual(await read('percent', '0.19'), { text: '0.19' })
    assert.deepEqual(await read('share', '0.19', 1), { text: '0.19' })
  })
})

describe('An empty cell in an imported file', () => {
  it('is an error if a form would ask about it', async () => {
    const asks = 'Is there no tax?'
    const { read } = await reading(['0'], { fields: [{ ...tax, asks }, fee] })
    assert.deepEqual(read(' ', 0), { text: ' ', problem: asks })
    assert.deepEqual(read('0', 0), { text: '0' })
    assert.deepEqual(read('', 1), { text: '' })
  })
})
