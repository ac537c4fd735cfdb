import assert from 'node:assert/strict'
import fc from 'fast-check'
import type { Position, RecordedEvent, StreamName } from '../../../shared/event-sourcing/event.ts'
import type { StreamRange } from '../../../shared/event-sourcing/ports/event-store.ts'
import { createStateAfter } from '../../../shared/event-sourcing/state-after.ts'
import { forAllAsync } from '../../support/for-all.ts'

/** The state of this made-up aggregate is the list of versions it has seen. */
const fold = (seen: number[] | undefined, { version }: RecordedEvent) => [...(seen ?? []), version]
/** A view that was never written. */
const view = { definition: { category: 'thing', fold }, get: async () => undefined, snapshot: async () => undefined }

describe('The state after an event', () => {
  it('is right for every event, wherever in the log it resumes and however little it caches', async () => {
    const streams = fc.array(fc.constantFrom('a', 'b', 'c', 'd'), { minLength: 1, maxLength: 40 })
    const starts = fc.array(fc.nat(39), { minLength: 1, maxLength: 3 })
    await forAllAsync([streams, starts, fc.integer({ min: 1, max: 3 })], async (ids, restarts, capacity) => {
      const { log, readStream } = logOf(ids)
      const stateAfter = createStateAfter({ events: { readStream }, view }, capacity)
      for (const start of restarts) {
        for (const event of log.slice(start)) {
          const upTo = Array.from({ length: event.version }, (_, index) => index + 1)
          assert.deepEqual(await stateAfter(event), upTo)
        }
      }
    })
  })

  it('needs no read of a stream while the log is followed from its beginning', async () => {
    const { log, reads, readStream } = logOf(['a', 'b', 'a', 'b', 'a'])
    const stateAfter = createStateAfter({ events: { readStream }, view })
    for (const event of log) await stateAfter(event)
    assert.equal(reads.count, 0)
  })
})

/** A log whose events are on these streams, one after another. */
function logOf(ids: readonly string[]) {
  const versions = new Map<string, number>()
  const log = ids.map((id, index): RecordedEvent => {
    const version = (versions.get(id) ?? 0) + 1
    versions.set(id, version)
    const by = { by: 'key-1', requestId: 'r', commitId: `c${index}` }
    const position = (index + 1) as Position
    return { position, stream: { category: 'thing', id }, version, type: 'Seen.v1', data: {}, at: index, ...by }
  })
  const reads = { count: 0 }
  const readStream = async ({ id }: StreamName, { afterVersion = 0, upToVersion = Infinity }: StreamRange = {}) => {
    reads.count++
    return log.filter(({ stream, version }) => stream.id === id && version > afterVersion && version <= upToVersion)
  }
  return { log, reads, readStream }
}
