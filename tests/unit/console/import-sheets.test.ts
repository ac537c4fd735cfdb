import assert from 'node:assert/strict'
import writeFile, { type SheetData } from 'write-excel-file/universal'
import { notations } from '../../../console/import/notations.ts'
import { isSheetFile, openSheet, readSheets } from '../../../console/import/open-file.ts'

const workbook = async (...sheets: readonly (readonly [name: string, data: SheetData])[]): Promise<File> => {
  const blob = await writeFile(sheets.map(([sheet, data]) => ({ sheet, data, dateFormat: 'dd.mm.yyyy' }))).toBlob()
  return new File([blob], 'book.xlsx')
}

const rowsOf = async (file: File, at = 0) => {
  const sheet = (await readSheets(file))[at] ?? assert.fail()
  const opened = await openSheet(file.name, sheet, notations)
  const rows = []
  for await (const piece of opened.pieces()) rows.push(...piece)
  return { opened, rows: rows.map(({ line, cells }) => [line, cells]) }
}

describe('Imported Excel files', () => {
  const table: SheetData = [
    [null, null, null],
    ['Client', 'Datum', 'Honorar'],
    ['Roy, "fils"', new Date('2026-12-31'), 1234.5],
    [null, null, null],
    ['zwei\nZeilen', new Date('2026-01-02'), 1.234],
    ['', '  ', ''],
    ['Letzte', '3.1.2026', '1.234,56'],
  ]

  it('are read as a CSV file of the same rows, with dates and numbers that have one meaning', async () => {
    const { opened, rows } = await rowsOf(await workbook(['Rechnungen', table]))
    assert.deepEqual(opened.columns, ['Client', 'Datum', 'Honorar'])
    assert.equal(opened.rows, 3)
    assert.deepEqual(
      rows.map(([, cells]) => cells),
      [
        ['Roy, "fils"', '2026-12-31', '1234.5'],
        ['zwei\nZeilen', '2026-01-02', '1.2340'],
        ['Letzte', '3.1.2026', '1.234,56'],
      ],
    )
  })

  it('have their rows numbered as in the sheet, including empty ones, which are skipped', async () => {
    const { rows } = await rowsOf(await workbook(['Rechnungen', table]))
    assert.deepEqual(
      rows.map(([line]) => line),
      [3, 5, 7],
    )
  })

  it('may have several sheets, each imported as a separate file with a stable fingerprint', async () => {
    const file = await workbook(['Leer', [[null]]], ['Januar', [['Client'], ['A']]], ['Februar', [['Client'], ['B']]])
    assert.deepEqual(
      (await readSheets(file)).map(({ name }) => name),
      ['Januar', 'Februar'],
    )
    const [one, again, other] = [await rowsOf(file, 0), await rowsOf(file, 0), await rowsOf(file, 1)]
    assert.equal(one.opened.fingerprint, again.opened.fingerprint)
    assert.notEqual(one.opened.fingerprint, other.opened.fingerprint)
  })

  it('are recognized by their names, and refused with the reason if they are something else', async () => {
    const named = (name: string, text = 'x') => new File([text], name)
    assert.deepEqual(
      ['a.xlsx', 'A.XLSX', 'old.xls', 'a.csv', 'a'].map((name) => isSheetFile(named(name))),
      [...[true, true, true, false, false]],
    )
    await assert.rejects(readSheets(named('a.xlsx', 'Client;Datum')), /it is not an Excel workbook/)
    await assert.rejects(readSheets(named('big.xlsx', 'x'.repeat(10_000_001))), /more than 10 megabytes/)
  })
})
