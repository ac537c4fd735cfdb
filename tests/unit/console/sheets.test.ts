import assert from 'node:assert/strict'
import { readSheet } from 'read-excel-file/universal'
import { cellOf, textOfCell } from '../../../console/sheets/cells.ts'
import { createSheet, fileNameOf } from '../../../console/sheets/save-sheet.ts'

const columns = [
  { heading: 'Client', type: 'text' },
  { heading: 'Service date', type: 'date' },
  { heading: 'Service fee', type: 'amount' },
  { heading: 'Contracts', type: 'number' },
] as const

describe('Spreadsheets of the console', () => {
  it('hold dates as dates and amounts as numbers, under their headings', async () => {
    const rows = [
      ['Roy & <fils>', '2026-03-31', '1234.5678', 12],
      ['=1+1', '2024-02-29', '-0.5', null],
      ['École', '', null, '7'],
    ]
    const file = await createSheet({ title: 'By client: March/April', columns, rows, decimals: 2 })
    assert.deepEqual(await readSheet(file), [
      ['Client', 'Service date', 'Service fee', 'Contracts'],
      ['Roy & <fils>', new Date('2026-03-31'), 1234.5678, 12],
      ['=1+1', new Date('2024-02-29'), -0.5, null],
      ['École', null, null, 7],
    ])
  })

  it('show amounts with the decimals of the firm’s currency', () => {
    assert.equal(cellOf('1234.5678', 'amount', 2)?.format, '#,##0.00')
    assert.equal(cellOf('1234', 'amount', 0)?.format, '#,##0')
    assert.equal(cellOf('1234.5', 'amount', 3)?.format, '#,##0.000')
  })

  it('hold as text what a spreadsheet can’t hold as a date or number', () => {
    assert.equal(cellOf('1899-12-31', 'date', 2)?.value, '1899-12-31')
    assert.equal(cellOf('n/a', 'amount', 2)?.value, 'n/a')
    assert.equal(cellOf('', 'amount', 2), null)
  })

  it('hold moments in local time', () => {
    const { value } = cellOf('2026-03-31T22:30:00.000Z', 'moment', 2) ?? {}
    const there = new Date('2026-03-31T22:30:00.000Z')
    const shown = value instanceof Date ? value.toISOString() : ''
    assert.deepEqual([shown.slice(8, 10), shown.slice(11, 13)].map(Number), [there.getDate(), there.getHours()])
  })

  it('are read as texts with one meaning', () => {
    const cells = [null, new Date('2026-12-31'), 'text', true, 1234, 12.5, 1.234, 0.1 + 0.2, -999.125, 1e-7, 1e15]
    assert.deepEqual(cells.map(textOfCell), [
      ...['', '2026-12-31', 'text', 'true', '1234', '12.5', '1.2340', '0.3', '-999.1250', '0.0000001'],
      '1000000000000000',
    ])
  })

  it('are named for what they hold and its period', () => {
    assert.equal(fileNameOf('contracts', {}, 'xlsx'), 'contracts.xlsx')
    const [from, to] = ['2026-03-01', '2026-03-31']
    assert.equal(fileNameOf('contracts', { from, to }, 'xlsx'), 'contracts 2026-03-01 to 2026-03-31.xlsx')
    assert.equal(fileNameOf('contracts', { from }, 'csv'), 'contracts from 2026-03-01.csv')
    assert.equal(fileNameOf('contracts', { to }, 'xlsx'), 'contracts to 2026-03-31.xlsx')
  })
})
