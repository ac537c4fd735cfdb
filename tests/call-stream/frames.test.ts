import assert from 'node:assert/strict'
import { setImmediate as nextTurn } from 'node:timers/promises'
import fc from 'fast-check'
import { createFrameSender } from '../../shared/rpc/call-stream/frame-sender.ts'
import { forAllAsync } from '../support/for-all.ts'

interface Message {
  readonly payload: Buffer
}

const messageOf = (length: number): Message => ({ payload: Buffer.alloc(length) })

/** Mostly short, some longer than a frame. */
const lengths = fc.array(fc.oneof({ weight: 5, arbitrary: fc.nat(300) }, fc.nat(300_000)), { maxLength: 60 })

describe('Frames', () => {
  it('deliver every message in order, and are not too large', async () => {
    await forAllAsync([lengths], { numRuns: 50 }, async (sizes) => {
      const messages = sizes.map(messageOf)
      const arrived: Message[] = []
      const sender = createFrameSender<Message>((frame) => {
        const bytes = frame.reduce((sum, { payload }) => sum + payload.length, 0)
        assert.ok(frame.length === 1 || bytes <= 64 * 1024)
        arrived.push(...frame)
      })
      for (const message of messages) sender.send(message)
      await nextTurn()
      assert.deepEqual(
        arrived.map((message) => messages.indexOf(message)),
        [...messages.keys()],
      )
    })
  })

  it('combine messages sent in one turn', async () => {
    const frames: number[] = []
    const sender = createFrameSender<Message>((frame) => frames.push(frame.length))
    for (let count = 0; count < 100; count++) sender.send(messageOf(100))
    await nextTurn()
    assert.deepEqual(frames, [100])
  })
})
