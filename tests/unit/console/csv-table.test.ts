import assert from 'node:assert/strict'
import type { FileColumn } from '../../../console/sheets/csv-table.ts'
import { createFileSpelling, respelledFile, valuesOf } from '../../../console/sheets/csv-table.ts'

const columns: readonly FileColumn[] = [
  { heading: 'Client', type: 'text', from: ['client', 'clientId'] },
  { heading: 'Service date', type: 'date', from: ['serviceDate'] },
  { heading: 'Service fee', type: 'amount', from: ['serviceFee'] },
  { heading: 'Tax %', type: 'decimal', from: ['taxPercent'] },
]

const file = new Blob([
  '\ufeffid,clientId,client,serviceFee,taxPercent,serviceDate,notes\r\n',
  `7,c-1,"'=Roy; ""fils""",-1234.5678,8.25,2026-03-31,"two\nlines"\r\n`,
  '8,c-2,,150,0,2026-04-01,\r\n',
])

describe('CSV files of the API in the console', () => {
  it('become the rows of a sheet, with texts as they are in Mint', async () => {
    const rows = []
    for await (const row of valuesOf(file, columns)) rows.push(row)
    assert.deepEqual(rows, [
      ['=Roy; "fils"', '2026-03-31', '-1234.5678', '8.25'],
      ['c-2', '2026-04-01', '150', '0'],
    ])
  })

  it('give a sheet the difference between two of their columns', async () => {
    const tax = { heading: 'Tax', type: 'amount', from: ['tax'], difference: ['billed', 'serviceFee'] } as const
    const rows = []
    const lines = new Blob(['serviceFee,tax,billed\r\n19.99,1.649175,21.64\r\n-0.1,0,-0.1\r\n'])
    for await (const row of valuesOf(lines, [tax])) rows.push(row)
    assert.deepEqual(rows, [['1.65'], ['0']])
  })

  it('are written with semicolons, and with numbers and dates as a language with a decimal comma writes them', async () => {
    const spelling = createFileSpelling(['de-DE'])
    assert.ok(spelling)
    assert.equal(
      await (await respelledFile(file, columns, spelling)).text(),
      [
        'id;clientId;client;serviceFee;taxPercent;serviceDate;notes\r\n',
        `7;c-1;"'=Roy; ""fils""";-1234,5678;8,25;31.03.2026;"two\nlines"\r\n`,
        '8;c-2;;150;0;01.04.2026;\r\n',
      ].join(''),
    )
  })

  it('spell exact totals, too, which only files have beside the billed ones', async () => {
    const lines = new Blob(['serviceFee,totalFeeWithTax\r\n150,162.375\r\n'])
    const spelling = createFileSpelling(['de-DE']) ?? assert.fail()
    assert.match(await (await respelledFile(lines, columns, spelling)).text(), /\r\n150;162,375\r\n$/)
  })

  it('have their own spelling only in languages that need one, with dates that an import reads', () => {
    const [, fr = assert.fail(), nl = assert.fail(), hu = assert.fail()] = ['en-US', 'fr-FR', 'nl-NL', 'hu-HU'].map(
      (locale) => createFileSpelling([locale]),
    )
    assert.equal(createFileSpelling(['en-US']), undefined)
    assert.equal(createFileSpelling(['en-GB']), undefined)
    assert.deepEqual(
      [fr, nl, hu].map(({ date, number }) => [date('2026-03-31'), number('-0.5')]),
      [
        ['31/03/2026', '-0,5'],
        ['31-03-2026', '-0,5'],
        ['2026-03-31', '-0,5'],
      ],
    )
  })
})
