import assert from 'node:assert/strict'
import { Readable } from 'node:stream'
import { parse } from 'csv-parse/sync'
import fc from 'fast-check'
import { cellsOf, delimiterOf, hasCells, readRow, writeRow } from '../../../console/csv/cells.ts'
import { createFingerprint } from '../../../console/csv/fingerprint.ts'
import { CsvProblem, rowsOf } from '../../../console/csv/rows.ts'
import { decimals } from '../../../console/format/formats.ts'
import { areNames } from '../../../console/import/columns.ts'
import { openCsvFile } from '../../../console/import/open-file.ts'
import { forAllAsync } from '../../support/for-all.ts'

/** undefined: the parser refuses it. */
function parsed(text: string, delimiter: string): string[] | undefined {
  try {
    return (parse(text, { delimiter, record_delimiter: ['\n', '\r\n'], relax_column_count: true }) as string[][])[0]
  } catch {
    return undefined
  }
}

/** The rows of a file that arrives in chunks of this many bytes. */
async function rowsIn(file: string | Buffer, size = 65_536) {
  const bytes = Buffer.from(file as string)
  const chunks = Array.from({ length: Math.ceil(bytes.length / size) }, (_, n) =>
    bytes.subarray(n * size, (n + 1) * size),
  )
  return await Array.fromAsync(rowsOf(Readable.from(chunks)))
}

const readIn = async (text: string, size?: number) =>
  (await rowsIn(text, size)).map((row) => readRow(row, ',')).filter(hasCells)

describe('The rows of a CSV file', () => {
  const open = (text: string | Buffer) => openCsvFile(new File([text as string], 'some.csv'), [])

  it('are found with their line numbers, for all kinds of line breaks, and across those in quotes', async () => {
    assert.deepEqual(await rowsIn('\ufeffa,b\r\n1,"two\r\nlines ""x"""\n\n3,4', 16), [
      { text: 'a,b', line: 1, bytes: 8 },
      { text: '1,"two\r\nlines ""x"""', line: 2, bytes: 21 },
      { text: '', line: 4, bytes: 1 },
      { text: '3,4', line: 5, bytes: 3 },
    ])
  })

  it('are read as they were written, wherever the file is cut into chunks', async () => {
    const cell = fc.string({ unit: fc.constantFrom('a', 'é', '"', ',', ';', '\n', '\r\n', "'", ' ') })
    const table = fc.array(fc.array(cell, { minLength: 2, maxLength: 3 }), { minLength: 1 })
    await forAllAsync([table, fc.nat(50)], async (cells, size) => {
      const text = cells.map(writeRow).join('\n')
      const rows = await readIn(text, size + 1)
      const written = cells.filter((row) => row.some((one) => one.trim() !== ''))
      assert.deepEqual(
        rows.map((row) => row.cells),
        written,
      )
    })
  })

  it('with a misplaced quote leave the following rows readable', async () => {
    assert.deepEqual(
      (await readIn('a,b\nc "x" d,e\nf,g')).map(({ line, cells }) => [line, cells]),
      [
        [1, ['a', 'b']],
        [2, undefined],
        [3, ['f', 'g']],
      ],
    )
  })

  it('have the cells that Mint’s own parser finds in them, or are refused by both', async () => {
    const unit = fc.constantFrom('a', 'é', '"', '""', ',', ';', '\t', '\n', '\r', "'", ' ')
    const text = fc.string({ unit, minLength: 1 })
    const delimiter = fc.constantFrom(',' as const, ';' as const, '\t' as const)
    await forAllAsync([text, delimiter], { numRuns: 1_000 }, async (text, delimiter) => {
      // Lines that end in CR alone are refused earlier.
      const [row] = await rowsIn(text).catch(() => [])
      fc.pre(row !== undefined && row.text !== '')
      assert.deepEqual(cellsOf(row.text, delimiter), parsed(row.text, delimiter))
    })
  })

  it('are refused if a quote is never closed, before memory runs out', async () => {
    const endless = rowsIn(`a\n"${'x'.repeat(1_100_000)}`)
    await assert.rejects(endless, (error) => error instanceof CsvProblem && error.line === 2)
  })

  it('are counted, with the first ones as samples, and read again in pieces of a thousand after the first row', async () => {
    const rows = Array.from({ length: 2_500 }, (_, index) => `Name ${index};${index}`)
    const file = await open(`\ufeff\n"Na;me";Fee\r\n${rows.join('\r\n')}\r\n;\r\n`)
    assert.deepEqual([file.columns, file.rows, file.samples[0]], [['Na;me', 'Fee'], 2_500, ['Name 0', '0']])
    const pieces = await Array.fromAsync(file.pieces())
    assert.deepEqual(
      pieces.map((piece) => piece[0]?.line),
      [3, 4, 1004, 2004],
    )
    assert.equal(pieces.flat().length, 2_500)
  })

  it('are refused, with the line, if they are not in UTF-8 or end in CR alone', async () => {
    await assert.rejects(open('\n\n'), /The file is empty/)
    const text = '\ufeffName,Größe\r\nÉcole,1\r\n'
    const [otherEnd, otherEncoding] = [/CR without LF/, /Not UTF-8/]
    for (const [file, line, message] of [
      ['Name,Fee\rA,1\r', 1, otherEnd],
      ['Name,Fee\rA,1\nB,2\n', 1, otherEnd],
      ['Name\r\r\nA\r\r\n', 1, otherEnd],
      ['Name,Fee\r\n"A\n",1\r\r\nB,2\r\n', 2, otherEnd],
      ['Name,Fee\nA,1\r', 2, otherEnd],
      [`Name,Fee\n${'A,1\n'.repeat(2_500)}B,2\rC,3\n`, 2_502, otherEnd],
      [`Name,Fee\r${'A,1\r'.repeat(300_000)}`, 1, otherEnd],
      [Buffer.from(text, 'utf16le'), 1, otherEncoding],
      [Buffer.from(text, 'utf16le').swap16(), 1, otherEncoding],
      [Buffer.from(text.slice(1), 'latin1'), 1, otherEncoding],
      [Buffer.from(text.slice(1).replace('Größe', 'Size'), 'latin1'), 2, otherEncoding],
    ] as const) {
      await assert.rejects(rowsIn(file), { line, message })
    }
    const tooLong = `a\n${'x'.repeat(1_000_100)}\r\n`
    // The first chunk ends between CR and LF.
    await assert.rejects(rowsIn(tooLong, tooLong.length - 1), { line: 2, message: /more than 1,000,000 bytes/ })
    assert.deepEqual((await open('"Na\rme"\nA')).columns, ['Na\rme'])
    assert.equal((await rowsIn('Name\n"1\r2\n3\r\n""4""\r5"\r\n')).length, 2)
  })

  it('are split at the delimiter that the header has outside quotes', () => {
    assert.deepEqual(['a,b;c', '"a,b";c', 'a', '"a,b"\tc,d'].map(delimiterOf), [',', ';', ',', '\t'])
  })

  it('begin below empty rows and Excel’s declaration of the separator', async () => {
    for (const [above, line] of [
      ['', 2],
      ['sep=;\r\n', 3],
      ['"sep=;"\n', 3],
      [';;\r\n\r\n" ";;\n', 5],
    ] as const) {
      const file = await open(`${above}Name;Fee\nÉcole;1\n`)
      const [row] = (await Array.fromAsync(file.pieces())).flat()
      assert.deepEqual(
        [file.columns, file.rows, row?.line, row?.cells],
        [['Name', 'Fee'], 1, line, ['École', '1']],
        above,
      )
    }
  })

  it('begin below the names of columns, whatever titles a report has above them', async () => {
    const fields = [
      { name: 'client', label: 'Client (name)' },
      { name: 'serviceFee', label: 'Service fee' },
      { name: 'serviceDate', label: 'Service date' },
    ]
    const read = async (text: string) => {
      const { columns, headerLine, rows } = await openCsvFile(new File([text], 'some.csv'), [], (cells) =>
        areNames(cells, fields, decimals),
      )
      return { columns, headerLine, rows }
    }
    const columns = ['', 'Date', 'Name', 'Amount']
    const report =
      'Mint & Sons,,,\nSales by Client,,,\n"January, 2026",,,\n\n,Date,Name,Amount\n,01/15/2026,Roy,"1,234.50"\n'
    assert.deepEqual(await read(report), { columns, headerLine: 5, rows: 1 })
    // A row of a file is not taken for names, even if Mint knows none of its names.
    const dutch = 'Soort,Klant,Bedrag\nTax,Client,100\n'
    assert.deepEqual(await read(dutch), { columns: ['Soort', 'Klant', 'Bedrag'], headerLine: 1, rows: 1 })
    const late = `${'Title\n'.repeat(20)}Client,Amount\n`
    assert.deepEqual(await read(late), { columns: ['Title'], headerLine: 1, rows: 20 })
  })

  it('are read from UTF-16 as Excel saves “Unicode Text”, wherever the file is cut', async () => {
    const rows = Array.from({ length: 60_000 }, (_, index) => `Größe ${index}\t"1\n2"\r\n`)
    const file = await open(Buffer.from(`\ufeffName\tNotes\r\n${rows.join('')}`, 'utf16le'))
    const pieces = (await Array.fromAsync(file.pieces())).flat()
    assert.deepEqual([file.columns, file.rows, file.decoded], [['Name', 'Notes'], 60_000, undefined])
    assert.deepEqual(pieces.at(-1)?.cells, ['Größe 59999', '1\n2'])
    assert.ok(pieces.every(({ cells }) => cells?.[0]?.startsWith('Größe ')))
  })
})

describe('The fingerprint of a file', () => {
  const of = async (...chunks: Uint8Array[]) => {
    const fingerprint = createFingerprint()
    await Array.fromAsync(fingerprint.through(Readable.from(chunks)))
    return fingerprint.text()
  }

  it('depends on every byte and its place, not on how the file is read', async () => {
    const bytes = fc.uint8Array({ minLength: 1, maxLength: 50 })
    await forAllAsync([bytes, bytes], async (one, other) => {
      const whole = new Uint8Array([...one, ...other])
      assert.equal(await of(one, other), await of(whole))
      const changed = whole.with(0, (whole[0] ?? 0) ^ 1)
      assert.notEqual(await of(changed), await of(whole))
    })
    assert.notEqual(await of(new Uint8Array([1, 2])), await of(new Uint8Array([2, 1])))
    assert.notEqual(await of(new Uint8Array(2)), await of(new Uint8Array(3)))
  })
})
