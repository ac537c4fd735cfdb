import assert from 'node:assert/strict'
import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { viewsOf } from '../../../cli/admin/parts.ts'
import type { ExportedItem } from '../../../cli/admin/transfer/format.ts'
import { BrokenExport, readExport } from '../../../cli/admin/transfer/read-export.ts'
import { encodeVersion } from '../../../shared/adapters/sqlite/sums/encoded-version.ts'
import type { Position } from '../../../shared/event-sourcing/event.ts'
import { mint } from '../../support/command-line.ts'
import { fillFolder } from '../../support/filled-folder.ts'
import { temporaryFolder } from '../../support/temporary-folder.ts'
import { wholeExport } from '../../support/whole-export.ts'

type Json = null | boolean | number | string | Json[] | { [name: string]: Json }

const ODD_VALUES: readonly Json[] = [
  null,
  true,
  -1,
  0.5,
  2 ** 53 - 1,
  1e308,
  '',
  'x',
  '9'.repeat(400),
  [],
  [null],
  {},
  { a: 1 },
]

describe('The lines of a foreign export', () => {
  const folder = temporaryFolder()
  let lines: readonly string[]

  before(async () => {
    const data = join(folder.path, 'data')
    await fillFolder(data, { contracts: 3, businesses: 1, unchanged: 1, refused: 1 })
    await mint(['keys', 'create', 'Reader', '--scopes', 'contracts:read'], { DATA_DIR: data })
    await mint(['closing', 'set', '2026-01-31', '--reason', 'January is done.'], { DATA_DIR: data })
    await mint(['firm', 'set', 'name=Harbour', 'currency=CAD', 'timeZone=America/Halifax'], { DATA_DIR: data })
    const file = join(folder.path, 'mint.ndjson')
    await mint(['export', file], { DATA_DIR: data })
    lines = readFileSync(file, 'utf8').split('\n').slice(0, -2)
  })
  after(() => folder.remove())

  it('are refused in a sentence with their number, or fold without an error, whatever one value is changed to', async () => {
    const [header = '', ...items] = lines
    let refused = 0
    for (const [index, line] of items.entries()) {
      for (const changed of changedOnce(JSON.parse(line))) {
        const text = JSON.stringify(changed)
        const before = items.slice(0, index)
        const read = await readAll([header, ...before, text])
        if (typeof read !== 'string') assert.match(foldAll(read), /^$|before it was (created|registered)\.$/, text)
        else {
          assert.match(read, new RegExp(`^Line ${before.length + 2} can't be imported: [^\\n]+\\.$`), text)
          assert.doesNotMatch(read, /TypeError|RangeError|undefined|is not a function/, text)
          refused += 1
        }
      }
    }
    assert.ok(refused > 500, `${refused}`)
  })

  it('are refused if the reason for writing into a closed period is not text', async () => {
    const withReason = (reason: Json): readonly string[] =>
      lines.map((line) => line.replace('"notes":', `"overrideReason":${JSON.stringify(reason)},"notes":`))
    assert.notEqual(typeof (await readAll(withReason('Filed late.'))), 'string')
    assert.match(String(await readAll(withReason(7))), /^Line \d+ can't be imported: .*overrideReason/)
  })

  it('are refused if the traceparent is malformed, since it would be published', async () => {
    const traced = (traceparent: string): readonly string[] =>
      lines.map((line) => line.replace('"requestId":', `"traceparent":${JSON.stringify(traceparent)},"requestId":`))
    const traceparent = `00-${'a'.repeat(32)}-${'b'.repeat(16)}-01`
    assert.notEqual(typeof (await readAll(traced(traceparent))), 'string')
    for (const wild of ['', 'x\r\nce_actor: mint', `${traceparent}-${'0'.repeat(100_000)}`]) {
      assert.match(String(await readAll(traced(wild))), /^Line 2 can't be imported: metadata.traceparent: is not a W3C/)
    }
  })
})

/** The value with each of its parts in turn replaced by an odd value, or removed. */
function* changedOnce(value: Json, isTop = true): Generator<Json> {
  if (!isTop) yield* ODD_VALUES
  if (Array.isArray(value)) {
    for (const [index, item] of value.entries()) {
      for (const changed of changedOnce(item, false)) yield value.with(index, changed)
    }
  } else if (value !== null && typeof value === 'object') {
    for (const [name, item] of Object.entries(value)) {
      const { [name]: _, ...without } = value
      yield without
      for (const changed of changedOnce(item, false)) yield { ...value, [name]: changed }
    }
  }
}

/** The items, or the message that refuses the file. */
async function readAll(all: readonly string[]): Promise<readonly ExportedItem[] | string> {
  const read: ExportedItem[] = []
  try {
    const { items } = await readExport(whole(all))
    for await (const item of items) read.push(item)
    return read
  } catch (error) {
    if (!(error instanceof BrokenExport)) throw error
    return error.message
  }
}

async function* whole(all: readonly string[]): AsyncGenerator<string> {
  yield* (await wholeExport(all)).trimEnd().split('\n')
}

/** Folds the commits as opening the database does, and reads what lists need; returns the message of any error. */
function foldAll(items: readonly ExportedItem[]): string {
  try {
    foldEach(items)
    return ''
  } catch (error) {
    return (error as Error).message
  }
}

function foldEach(items: readonly ExportedItem[]): void {
  const states = new Map<string, unknown>()
  for (const item of items) {
    if (!('events' in item)) continue
    const { part, stream, version, metadata, events, position } = item
    const view = viewsOf[part].find(({ category }) => category === stream.category)
    if (view === undefined) continue
    for (const [index, event] of events.entries()) {
      const at = { position: position as Position, stream, version: version + index, at: metadata.at }
      const state = view.fold(states.get(stream.id), { ...at, ...event })
      states.set(stream.id, state)
      const shown = [view.createdAt, ...Object.values(view.filters), ...view.searchTexts].map((read) => read(state))
      assert.ok(shown.every((value) => typeof value === 'string' || typeof value === 'number'))
      new Date(metadata.at).toISOString()
      encodeVersion(view, { view: view.name, id: stream.id, version: version + index, at: metadata.at, state })
    }
  }
}
