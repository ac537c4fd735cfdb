import assert from 'node:assert/strict'
import { Readable } from 'node:stream'
import { parse } from 'csv-parse/sync'
import fc from 'fast-check'
import { cellsOf, delimiterOf, readRows, writeRow } from '../../../console/import/cells.ts'
import { openCsvFile } from '../../../console/import/csv-file.ts'
import { createFingerprint } from '../../../console/import/fingerprint.ts'
import { CsvProblem, rowsOf } from '../../../console/import/rows.ts'

/** undefined: the parser refuses it. */
function parsed(text: string, delimiter: string): string[] | undefined {
  try {
    return (parse(text, { delimiter, record_delimiter: ['\n', '\r\n'], relax_column_count: true }) as string[][])[0]
  } catch {
    return undefined
  }
}

async function all<Item>(items: AsyncIterable<Item>): Promise<Item[]> {
  const found: Item[] = []
  for await (const item of items) found.push(item)
  return found
}

describe('The rows of a CSV file in the browser', () => {
  const open = (text: string) => openCsvFile(new File([text], 'some.csv'), [])

  it('are found with their line numbers, for all kinds of line breaks, and across those in quotes', async () => {
    const rows = await all(rowsOf(Readable.from(['a,b\r\n1,"two\r\nli', 'nes ""x"""\n\n3,4'])))
    assert.deepEqual(rows, [
      { text: 'a,b', line: 1 },
      { text: '1,"two\r\nlines ""x"""', line: 2 },
      { text: '', line: 4 },
      { text: '3,4', line: 5 },
    ])
  })

  it('are read as they were written, wherever the file is cut into chunks', async () => {
    const cell = fc.string({ unit: fc.constantFrom('a', 'é', '"', ',', ';', '\n', '\r\n', "'", ' ') })
    const table = fc.array(fc.array(cell, { minLength: 2, maxLength: 3 }), { minLength: 1 })
    await fc.assert(
      fc.asyncProperty(table, fc.nat(50), async (cells, size) => {
        const text = cells.map(writeRow).join('\n')
        const chunks = text.match(new RegExp(`[^]{1,${size + 1}}`, 'g')) ?? []
        const rows = readRows(await all(rowsOf(Readable.from(chunks))), ',')
        const written = cells.filter((row) => row.some((one) => one.trim() !== ''))
        assert.deepEqual(
          rows.map((row) => row.cells),
          written,
        )
      }),
    )
  })

  it('with a misplaced quote leave the following rows readable', async () => {
    const rows = readRows(await all(rowsOf(Readable.from(['a,b\nc "x" d,e\nf,g']))), ',')
    assert.deepEqual(
      rows.map(({ line, cells }) => [line, cells]),
      [
        [1, ['a', 'b']],
        [2, undefined],
        [3, ['f', 'g']],
      ],
    )
  })

  it('have the cells that Mint’s own parser finds in them, or are refused by both', async () => {
    const text = fc.string({ unit: fc.constantFrom('a', 'é', '"', '""', ',', ';', '\n', '\r', "'", ' '), minLength: 1 })
    const delimiter = fc.constantFrom(',' as const, ';' as const)
    await fc.assert(
      fc.asyncProperty(text, delimiter, async (text, delimiter) => {
        const [row = { text: '', line: 1 }] = await all(rowsOf(Readable.from([text])))
        fc.pre(row.text !== '')
        assert.deepEqual(cellsOf(row.text, delimiter), parsed(row.text, delimiter))
      }),
      { numRuns: 1_000 },
    )
  })

  it('are refused if a quote is never closed, before memory runs out', async () => {
    const endless = Readable.from(['a\n"', ...Array.from({ length: 11 }, () => 'x'.repeat(100_000))])
    await assert.rejects(all(rowsOf(endless)), (error) => error instanceof CsvProblem && /^Line 2:/.test(error.message))
  })

  it('are counted, with the first ones as samples, and read again in pieces of a thousand after the first row', async () => {
    const rows = Array.from({ length: 2_500 }, (_, index) => `Name ${index};${index}`)
    const file = await open(`\ufeff\n"Na;me";Fee\r\n${rows.join('\r\n')}\r\n;\r\n`)
    assert.deepEqual([file.columns, file.rows, file.samples[0]], [['Na;me', 'Fee'], 2_500, ['Name 0', '0']])
    const pieces = await all(file.pieces())
    assert.deepEqual(
      pieces.map((piece) => piece[0]?.line),
      [3, 4, 1004, 2004],
    )
    assert.equal(pieces.flat().length, 2_500)
  })

  it('are refused with a reason if the file is empty, not in UTF-8 or has lines that end in CR alone', async () => {
    await assert.rejects(open('\n\n'), /The file is empty/)
    const latin1 = new File([new Uint8Array([0x61, 0x0a, 0xe9, 0x0a])], 'some.csv')
    await assert.rejects(openCsvFile(latin1, []), /not in UTF-8/)
    for (const text of ['Name,Fee\rA,1\r', 'Name,Fee\rA,1\nB,2\n', 'Name\r\r\nA\r\r\n']) {
      await assert.rejects(open(text), /end in CR alone/)
    }
    assert.deepEqual((await open('"Na\rme"\nA')).columns, ['Na\rme'])
  })

  it('are split at the delimiter that the header has outside quotes', () => {
    assert.deepEqual(['a,b;c', '"a,b";c', 'a'].map(delimiterOf), [',', ';', ','])
  })
})

describe('The fingerprint of a file', () => {
  const of = (bytes: Uint8Array, seed = '') => {
    const fingerprint = createFingerprint(seed)
    fingerprint.add(bytes)
    return fingerprint.text()
  }

  it('depends on every byte and its place, not on how the file is read', () => {
    const bytes = fc.uint8Array({ minLength: 1, maxLength: 50 })
    fc.assert(
      fc.property(bytes, bytes, (one, other) => {
        const cut = createFingerprint('')
        cut.add(one)
        cut.add(other)
        const whole = new Uint8Array([...one, ...other])
        assert.equal(cut.text(), of(whole))
        const changed = whole.with(0, (whole[0] ?? 0) ^ 1)
        assert.notEqual(of(changed), of(whole))
      }),
    )
    assert.notEqual(of(new Uint8Array([1, 2])), of(new Uint8Array([2, 1])))
    assert.notEqual(of(new Uint8Array(2)), of(new Uint8Array(3)))
  })

  it('is valid in an Idempotency-Key', () => {
    assert.match(of(new Uint8Array(1_000)), /^[0-9a-f-]{10,30}$/)
  })
})
