import assert from 'node:assert/strict'
import { describeOn, goProgram } from '../support/engines.ts'
import { operationsIn } from './checks/check.ts'
import { buildPorcupine, type Porcupine } from './checks/porcupine.ts'
import { type Entry, historyOf } from './history.ts'
import {
  aClosing,
  aCreate,
  aDeposed,
  aFind,
  aGet,
  aGetOfClosing,
  aList,
  anEdit,
  aRecordHistory,
  aRow,
  aTouch,
  closingsAtEnd,
  versioned,
} from './made-up-history.ts'

describeOn(goProgram(), 'The linearizability check of the torture test', (go) => {
  let porcupine: Porcupine
  before(async () => {
    porcupine = await buildPorcupine(go)
  }).timeout(120_000)
  after(() => porcupine.remove())

  const check = async (...entries: Entry[]): Promise<readonly string[]> =>
    (await porcupine.check(operationsIn(historyOf(entries)))).violations

  const first = aCreate({ at: [0, 10] })
  const second = anEdit({ at: [20, 30], notes: 'b', version: 2 })
  const edited = aRow({ notes: 'b' })
  const unknown = { ...second, record: undefined, outcome: 'unknown', status: 'broken' } as const
  const deposed = aDeposed({ from: 15, begins: 15, ends: 60, gateways: [0] })
  const closed = aClosing({ at: [0, 10], through: '2024-01-31', version: 1 })
  const opened = aClosing({ at: [20, 30], through: null, version: 2 })

  it('accepts reads of either state during an edit, and of the new one afterwards', async () => {
    const history = [
      first,
      second,
      aGet({ at: [21, 22], record: versioned(aRow(), 1) }),
      aGet({ at: [23, 40], record: versioned(edited, 2) }),
      aGet({ at: [31, 32], record: versioned(edited, 2) }),
      aList({ at: [33, 34], rows: [edited] }),
    ]
    assert.deepEqual(await check(...history), [])
  })

  it('rejects a stale read, by id or in a list', async () => {
    assert.equal((await check(first, second, aGet({ at: [31, 32], record: versioned(aRow(), 1) }))).length, 1)
    assert.equal((await check(first, second, aList({ at: [31, 32], rows: [aRow()] }))).length, 1)
    assert.equal((await check(first, aGet({ at: [11, 12], record: null }))).length, 1)
  })

  it('rejects a lost update: two edits that were acknowledged as the same version', async () => {
    const other = anEdit({ at: [25, 35], notes: 'c', version: 2 })
    assert.equal((await check(first, second, other)).length, 1)
  })

  it('rejects an edit that replaced a version other than its If-Match', async () => {
    const other = anEdit({ at: [40, 50], notes: 'c', version: 3, ifMatch: 1 })
    assert.equal((await check(first, second, other)).length, 1)
    assert.deepEqual(await check(first, second, { ...other, ifMatch: 2 }), [])
  })

  it('rejects a refusal that the record’s state does not justify', async () => {
    const refused = { ...anEdit({ at: [40, 50], notes: 'c', version: 0, ifMatch: 2 }), outcome: 'failed' } as const
    assert.equal((await check(first, second, { ...refused, refusal: 'precondition_failed' })).length, 1)
    assert.equal((await check(first, second, { ...refused, refusal: 'not_found' })).length, 1)
    assert.deepEqual(await check(first, second, { ...refused, ifMatch: 1, refusal: 'precondition_failed' }), [])
  })

  it('rejects a value that reappears after it was overwritten', async () => {
    const third = anEdit({ at: [40, 50], notes: 'c', version: 3 })
    const resurrected = aGet({ at: [60, 70], record: versioned(edited, 2) })
    assert.equal((await check(first, second, third, resurrected)).length, 1)
  })

  it('rejects two creates with the same id', async () => {
    assert.equal((await check(first, aCreate({ at: [20, 30], name: 'm2' }))).length, 1)
  })

  it('allows an edit of unknown outcome to take effect late or never, but not to disappear again', async () => {
    const before = aGet({ at: [31, 32], record: versioned(aRow(), 1) })
    const after = aGet({ at: [41, 42], record: versioned(edited, 2) })
    const again = aGet({ at: [51, 52], record: versioned(aRow(), 1) })
    assert.deepEqual(await check(first, unknown, before), [])
    assert.deepEqual(await check(first, unknown, before, after), [])
    assert.equal((await check(first, unknown, before, after, again)).length, 1)
  })

  it('checks an edit of unknown outcome against the record’s final history', async () => {
    const seen = aGet({ at: [41, 42], record: versioned(edited, 2) })
    const withIt = aRecordHistory({ at: [90, 91], record: versioned(edited, 2), edits: [{ notes: 'b' }] })
    const without = aRecordHistory({ at: [90, 91], record: versioned(aRow(), 1), edits: [] })
    assert.deepEqual(await check(first, unknown, seen, withIt), [])
    assert.equal((await check(first, unknown, seen, without)).length, 1)
  })

  it('rejects a search that misses the word of an acknowledged edit, or finds it before the edit', async () => {
    const worded = anEdit({ at: [20, 30], serviceType: 'w1', version: 2 })
    const row = aRow({ serviceType: 'w1' })
    assert.deepEqual(await check(first, worded, aFind({ at: [40, 50], word: 'w1', row })), [])
    assert.equal((await check(first, worded, aFind({ at: [40, 50], word: 'w1', row: null }))).length, 1)
    assert.equal((await check(first, worded, aFind({ at: [11, 12], word: 'w1', row }))).length, 1)
  })

  it('excuses only stale reads that a deposed primary could have served, no older than its cut-off', async () => {
    const stale = aGet({ at: [50, 55], record: versioned(aRow(), 1) })
    assert.deepEqual(await check(first, second, deposed, stale), [])
    assert.equal((await check(first, second, deposed, { ...stale, gateway: 1 })).length, 1, 'another gateway')
    assert.equal((await check(first, second, deposed, { ...stale, call: 61, return: 62 })).length, 1, 'later')
    assert.equal((await check(first, second, { ...deposed, from: 31 }, stale)).length, 1, 'older than the cut')
    const lost = anEdit({ at: [40, 50], notes: 'c', version: 2 })
    assert.equal((await check(first, second, deposed, lost)).length, 1, 'a write')
  })

  it('rejects a no-op edit that was answered with a stale state, deposed primary or not', async () => {
    const stale = aTouch({ at: [50, 55], record: versioned(aRow(), 1) })
    const fresh = aTouch({ at: [50, 55], record: versioned(edited, 2), ifMatch: 2 })
    assert.deepEqual(await check(first, second, fresh), [])
    assert.equal((await check(first, second, deposed, stale)).length, 1)
    assert.equal((await check(first, second, { ...fresh, ifMatch: 1 })).length, 1)
    const { record: _, ...asked } = stale
    const refused = { ...asked, ifMatch: 2, outcome: 'failed', refusal: 'precondition_failed' } as const
    assert.equal((await check(first, second, refused)).length, 1)
  })

  it('rejects a stale closing, whether it was read or acknowledged as already set', async () => {
    const again = { ...closed, call: 40, return: 50 }
    assert.deepEqual(await check(closed, opened, aGetOfClosing({ at: [31, 32], through: null, version: 2 })), [])
    assert.deepEqual(await check(closed, opened, { ...again, call: 11 }), [])
    assert.deepEqual(await check(closed, opened, deposed, again), ['closing: not linearizable (3 operations)'])
    const stale = aGetOfClosing({ at: [31, 32], through: '2024-01-31', version: 1 })
    assert.equal((await check(closed, opened, stale)).length, 1)
    assert.deepEqual(await check(closed, opened, deposed, stale), [])
  })

  it('accepts a closing of unknown outcome that took effect, also where another call found it already set', async () => {
    const { version: _, ...asked } = closed
    const unknown = { ...asked, call: 40, return: 50, outcome: 'unknown' } as const
    const again = { ...closed, call: 60, return: 70, version: 3 }
    const atEnd = closingsAtEnd(closed, opened, again)
    const seen = {
      ...aGetOfClosing({ at: [55, 58], through: null, version: 3 }),
      closing: { ...closed.asked, version: 3 },
    }
    assert.deepEqual(await check(closed, opened, unknown, again, atEnd), [])
    assert.deepEqual(await check(closed, opened, unknown, seen, again, atEnd), [])
    assert.equal((await check(closed, opened, seen, again, atEnd)).length, 1)
  })

  it('rejects a refused closing that took effect', async () => {
    const refused = { ...opened, outcome: 'failed', refusal: 'precondition_failed', ifMatch: 3 } as const
    assert.deepEqual(await check(closed, refused, closingsAtEnd(closed)), [])
    assert.equal((await check(closed, refused, closingsAtEnd(closed, opened))).length, 1)
  })
})
