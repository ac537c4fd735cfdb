import assert from 'node:assert/strict'
import type { RecordedEvent } from '../../shared/event-sourcing/event.ts'

/** The log is gapless, no version is there twice, and every acknowledged commit is in it exactly once. */
export function assertLogIsWhole(log: readonly RecordedEvent[], acknowledged: readonly string[]): void {
  assert.deepEqual(
    log.map(({ position }) => position),
    log.map((_, index) => index + 1),
  )
  for (const [id, events] of Map.groupBy(log, ({ stream }) => stream.id)) {
    assert.deepEqual(
      events.map(({ version }) => version),
      events.map((_, index) => index + 1),
      `versions of ${id}`,
    )
  }
  const times = Map.groupBy(log, ({ commitId }) => commitId)
  const wrong = acknowledged.filter((commitId) => times.get(commitId)?.length !== 1)
  assert.deepEqual(wrong, [], 'acknowledged commits that are not in the log exactly once')
}
