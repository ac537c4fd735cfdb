import assert from 'node:assert/strict'
import writeFile, { type SheetData } from 'write-excel-file/universal'
import { notations } from '../../../console/import/notations.ts'
import { isSheetFile, openSheet, readSheets } from '../../../console/import/open-file.ts'
import { unzip, zipSync } from '../../../console/sheets/fflate.ts'

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

/** Where an entry of an archive's directory has the size of its unpacked file. */
const ORIGINAL_SIZE = 24

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

  it('are not unpacked if that would fill the memory', async () => {
    const archive = Buffer.from(zipSync({ 'one.xml': new Uint8Array(1), 'two.xml': new Uint8Array(1) }))
    const unpack = () =>
      new Promise((resolve, reject) => unzip(archive, (error, files) => (error ? reject(error) : resolve(files))))
    assert.deepEqual(await unpack(), { 'one.xml': new Uint8Array(1), 'two.xml': new Uint8Array(1) })
    for (let at = archive.indexOf('PK\x01\x02'); at >= 0; at = archive.indexOf('PK\x01\x02', at + 1)) {
      archive.writeUInt32LE(300_000_000, at + ORIGINAL_SIZE)
    }
    await assert.rejects(unpack(), { message: 'unpacked, the files have more than 500000000 bytes' })
  })
})
