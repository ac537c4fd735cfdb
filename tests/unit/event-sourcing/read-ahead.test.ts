import assert from 'node:assert/strict'
import type { Position } from '../../../shared/event-sourcing/event.ts'
import { readAhead } from '../../../shared/event-sourcing/read-ahead.ts'

describe('Reading a log ahead', () => {
  it('yields every item once, in order, from after a position to the head', async () => {
    const { batches } = logOf(7)
    assert.deepEqual(await Array.fromAsync(batches()), [[1, 2, 3], [4, 5, 6], [7]])
    assert.deepEqual(await Array.fromAsync(batches(5)), [[6, 7]])
    assert.deepEqual(await Array.fromAsync(batches(7)), [])
  })

  it('has requested the next batch, and no further one, when it yields a batch', async () => {
    const { asked, batches } = logOf(9)
    const reading = batches()
    await reading.next()
    assert.deepEqual(asked, [0, 3])
    await reading.next()
    assert.deepEqual(asked, [0, 3, 6])
  })

  it('throws a failure in place of the failed batch, and drops it if reading has stopped before', async () => {
    const { batches } = logOf(9, 3)
    const reading = batches()
    assert.deepEqual((await reading.next()).value, [1, 2, 3])
    await assert.rejects(reading.next(), /no more after 3/)
    const unhandled: unknown[] = []
    const listen = (reason: unknown) => unhandled.push(reason)
    process.on('unhandledRejection', listen)
    for await (const batch of batches()) {
      assert.deepEqual(batch, [1, 2, 3])
      break
    }
    // By then, Node would have reported an unhandled rejection.
    await new Promise(setImmediate)
    process.off('unhandledRejection', listen)
    assert.deepEqual(unhandled, [])
  })
})

/** A log read three positions at a time; what comes after `broken` can't be read. */
function logOf(head: number, broken = head + 1) {
  const asked: number[] = []
  async function readAfter(after: Position): Promise<{ readonly position: Position }[]> {
    asked.push(after)
    if (after >= broken) throw new Error(`no more after ${after}`)
    return Array.from({ length: Math.min(3, head - after) }, (_, index) => ({
      position: (after + index + 1) as Position,
    }))
  }
  async function* batches(after = 0) {
    for await (const batch of readAhead(readAfter, after as Position)) yield batch.map(({ position }) => position)
  }
  return { asked, batches }
}
