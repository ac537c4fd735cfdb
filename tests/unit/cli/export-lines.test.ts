import assert from 'node:assert/strict'
import { Readable } from 'node:stream'
import fc from 'fast-check'
import { withEnd } from '../../../cli/admin/transfer/export.ts'
import { type ExportedItem, toCommitLine } from '../../../cli/admin/transfer/format.ts'
import { linesOf } from '../../../cli/admin/transfer/lines.ts'
import { readExport } from '../../../cli/admin/transfer/read-export.ts'
import type { Position } from '../../../shared/event-sourcing/event.ts'
import type { RecordedCommit } from '../../../shared/event-sourcing/ports/inspection.ts'

const HEADER = JSON.stringify({
  mint: 'export',
  format: 1,
  id: '01985b7e-3c5e-7a52-b1cf-6d1c3a1f0c55',
  at: '2026-01-31T09:30:00.000Z',
  events: { contracts: 1, businesses: 0, gateway: 0 },
})

describe('The lines of an export', () => {
  it('carry every text, wherever the file is cut into chunks', async () => {
    const text = fc.string({
      unit: fc.oneof(fc.constantFrom('\u2028', '\u2029', '\u0085', '\r', '\n', '\ufeff'), unit),
    })
    const property = fc.asyncProperty(fc.array(text), fc.integer({ min: 1, max: 64 }), async (texts, chunkSize) => {
      assert.deepEqual(await thereAndBack(texts, chunkSize), texts)
    })
    await fc.assert(property)
  })

  it('may have Windows line endings', async () => {
    const texts = ['one', 'two\u2028']
    assert.deepEqual(await read(Buffer.from((await exported(texts)).replaceAll('\n', '\r\n')), 7), texts)
  })

  it('are refused before a file without line ends fills the memory', async () => {
    const chunk = Buffer.alloc(1_000_000)
    let taken = 0
    async function* endless() {
      for (; taken < 300; taken++) yield chunk
    }
    await assert.rejects(readExport(linesOf(endless())), { message: /^This is not a Mint export: it has a line of/ })
    assert.ok(taken < 300)
  })
})

const unit = fc.integer({ min: 0, max: 0x10ffff }).map((codePoint) => String.fromCodePoint(codePoint))

const thereAndBack = async (texts: readonly string[], chunkSize: number): Promise<unknown[]> =>
  await read(Buffer.from(await exported(texts)), chunkSize)

/** An export with each text in an event. */
async function exported(texts: readonly string[]): Promise<string> {
  const lines = texts.map((notes, index) => toCommitLine('contracts', aCommit(index + 1, notes)))
  let text = ''
  for await (const more of withEnd(Readable.from([{ lines: [HEADER] }, { lines }]))) text += more.text
  return text
}

/** The texts of an export. */
async function read(bytes: Buffer, chunkSize: number): Promise<unknown[]> {
  const { items } = await readExport(linesOf(inChunks(bytes, chunkSize)))
  const texts: unknown[] = []
  for await (const entry of items) texts.push(textOf(entry))
  return texts
}

async function* inChunks(bytes: Buffer, size: number): AsyncGenerator<Buffer> {
  for (let start = 0; start < bytes.length; start += size) yield bytes.subarray(start, start + size)
}

const textOf = (entry: ExportedItem): unknown => ('events' in entry ? entry.events[0]?.data.notes : undefined)

function aCommit(position: number, notes: string): RecordedCommit {
  return {
    position: position as Position,
    stream: { category: 'contract', id: '1' },
    version: position + 1,
    commitId: `commit-${position}`,
    events: [{ type: 'ContractEdited.v1', data: { notes } }],
    metadata: { at: 0, by: 'test', requestId: 'test' },
  } as RecordedCommit
}
