import assert from 'node:assert/strict'
import { isUtf8 } from 'node:buffer'
import fc from 'fast-check'
import { parseCsv, UnreadableCsv } from '../../../gateway/csv/import/parse.ts'
import { atEnd } from '../../support/cleanup.ts'

/** The line from which a file can't be read; undefined: it can be. */
async function unreadableFrom(file: Uint8Array): Promise<number | undefined> {
  try {
    for await (const _ of parseCsv(file));
    return undefined
  } catch (error) {
    if (error instanceof UnreadableCsv) return error.line
    throw error
  }
}

describe('A CSV file that is not UTF-8', () => {
  it('is unreadable from its first line that isn’t', async () => {
    const byte = fc.constantFrom(...Buffer.from('aé\n\n\n'), 0xff)
    await fc.assert(
      fc.asyncProperty(fc.uint8Array({ maxLength: 40 }), fc.array(byte, { maxLength: 40 }), async (any, likely) => {
        const bytes = Buffer.from([...likely, ...any, 0xff])
        const lines = bytes.toString('latin1').split(/(?<=\n)/)
        const expected = 1 + lines.findIndex((line) => !isUtf8(Buffer.from(line, 'latin1')))
        assert.equal(await unreadableFrom(bytes), expected)
      }),
      { numRuns: 500 },
    )
  })

  it('is not checked line by line, which would block other requests for seconds', async () => {
    const file = Buffer.from(`${'a\n'.repeat(100_000)}\xff`, 'latin1')
    let parts = 0
    const counted = Object.assign(file, {
      subarray(start?: number, end?: number) {
        parts += 1
        return Buffer.prototype.subarray.call(file, start, end)
      },
    })
    assert.equal(await unreadableFrom(counted), 100_001)
    assert.ok(parts < 100, `${parts}`)
  })
})

describe('A CSV file', () => {
  it('may have millions of empty lines, or rows of other lengths than its header, for none of which an error is made', async () => {
    const { captureStackTrace } = Error
    let errors = 0
    Error.captureStackTrace = (...given) => {
      errors += 1
      captureStackTrace(...given)
    }
    atEnd(() => (Error.captureStackTrace = captureStackTrace))
    const file = Buffer.from(`a,b\n${'\n'.repeat(1_000)}1\n\n1,2,3\n1,2\n`)
    const records = (await Array.fromAsync(parseCsv(file))).flat()
    assert.deepEqual(records, [
      { line: 1, cells: ['a', 'b'] },
      { line: 1_002, cells: ['1'] },
      { line: 1_004, cells: ['1', '2', '3'] },
      { line: 1_005, cells: ['1', '2'] },
    ])
    assert.equal(errors, 0)
  })
})
