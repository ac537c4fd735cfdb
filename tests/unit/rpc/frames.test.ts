import assert from 'node:assert/strict'
import { setImmediate as nextTurn } from 'node:timers/promises'
import fc from 'fast-check'
import { createFrameSender } from '../../../shared/rpc/call-stream/frame-sender.ts'
import { createPartCollector, type Part } from '../../../shared/rpc/call-stream/part-collector.ts'

const partOf = (id: number, payload: Buffer) => ({
  payload,
  toPart: (piece: Buffer, { more }: { more: boolean }): Part => ({ id, payload: piece, more }),
})

/** Mostly short, some of several parts; told apart by their bytes. */
const lengths = fc.array(fc.oneof({ weight: 5, arbitrary: fc.nat(300) }, fc.nat(300_000)), { maxLength: 60 })

describe('Frames', () => {
  it('bring every message whole, however many there are and however often the stream is full', async () => {
    await fc.assert(
      fc.asyncProperty(lengths, fc.infiniteStream(fc.boolean()), async (sizes, roomLeft) => {
        const messages = sizes.map((size, id) => Buffer.alloc(size, id + 1))
        const collector = createPartCollector<Part>(1_000_000)
        const arrived = new Map<number, Buffer>()
        let isFull = false
        const sender = createFrameSender<Part>((parts) => {
          assert.ok(!isFull, 'nothing is written while the stream is full')
          assert.ok(
            parts.reduce((sum, { payload }) => sum + payload.length, 0) <= 80 * 1024,
            'a frame is not too large',
          )
          for (const part of parts) {
            const collected = collector.take(part)
            if (collected.type === 'complete') arrived.set(part.id, Buffer.from(collected.payload))
          }
          isFull = roomLeft.next().value === false
          return !isFull
        })
        for (const [id, message] of messages.entries()) sender.send(partOf(id, message))
        let isFinished = false
        sender.finish(() => (isFinished = true))
        for (let turn = 0; !isFinished && turn < 10_000; turn++) {
          await nextTurn()
          isFull = false
          sender.drained()
        }
        assert.deepEqual(
          [...arrived].toSorted(([a], [b]) => a - b),
          [...messages.entries()],
        )
      }),
      { numRuns: 50 },
    )
  })

  it('come to their end also when that is told after the last one filled the stream', async () => {
    let written = 0
    const sender = createFrameSender<Part>(() => {
      written++
      return false
    })
    sender.send(partOf(1, Buffer.alloc(10)))
    await nextTurn()
    assert.equal(written, 1)
    const finished = new Promise<void>((resolve) => sender.finish(resolve))
    sender.drained()
    await finished
  })

  it('let short messages overtake long ones', async () => {
    const order: number[] = []
    const sender = createFrameSender<Part>((parts) => {
      for (const { id, more } of parts) if (!more) order.push(id)
      return true
    })
    sender.send(partOf(1, Buffer.alloc(1_000_000)))
    sender.send(partOf(2, Buffer.alloc(10)))
    await new Promise<void>((resolve) => sender.finish(resolve))
    assert.deepEqual(order, [2, 1])
  })

  it('go together when they are sent in one turn', async () => {
    const frames: number[] = []
    const sender = createFrameSender<Part>((parts) => {
      frames.push(parts.length)
      return true
    })
    for (let id = 0; id < 100; id++) sender.send(partOf(id, Buffer.alloc(100)))
    await new Promise<void>((resolve) => sender.finish(resolve))
    assert.deepEqual(frames, [100])
  })

  it('are counted with all that an unfinished message holds', () => {
    const collector = createPartCollector<Part & { head: string }>(100, ({ head }) => head.length)
    const take = (id: number, length: number, more: boolean) =>
      collector.take({ id, payload: Buffer.alloc(length), more, head: 'x'.repeat(5_000) })
    take(1, 60, true)
    take(2, 60, true)
    take(2, 60, true)
    assert.equal(collector.held(), 6_060 + 6_000, 'what is too long is not kept')
    take(1, 10, false)
    take(2, 10, false)
    assert.equal(collector.held(), 0)
    take(3, 10, true)
    collector.clear()
    assert.equal(collector.held(), 0)
  })
})
