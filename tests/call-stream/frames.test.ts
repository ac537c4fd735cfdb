import assert from 'node:assert/strict'
import { setImmediate as nextTurn } from 'node:timers/promises'
import fc from 'fast-check'
import { createFrameSender, type Message } from '../../shared/rpc/call-stream/frame-sender.ts'
import { forAllAsync } from '../support/for-all.ts'

const messageOf = (length: number): Message => ({ payload: Buffer.alloc(length) })

/** Mostly short, some longer than a frame. */
const lengths = fc.array(fc.oneof({ weight: 5, arbitrary: fc.nat(300) }, fc.nat(300_000)), { maxLength: 60 })

describe('Frames', () => {
  it('deliver every message in order, however many there are and whenever the peer reads them', async () => {
    await forAllAsync([lengths, fc.infiniteStream(fc.boolean())], { numRuns: 50 }, async (sizes, isTaken) => {
      const messages = sizes.map(messageOf)
      const arrived: Message[] = []
      const untaken: { readonly bytes: number; readonly taken: () => void }[] = []
      const sender = createFrameSender<Message>((frame, taken) => {
        const before = untaken.reduce((sum, { bytes }) => sum + bytes, 0)
        assert.ok(before < 256 * 1024, 'nothing is written while much is not taken')
        const bytes = frame.reduce((sum, { payload }) => sum + payload.length, 0)
        assert.ok(frame.length === 1 || bytes <= 64 * 1024, 'a frame is not too large')
        arrived.push(...frame)
        untaken.push({ bytes, taken })
      })
      for (const message of messages) sender.send(message)
      let isFinished = false
      sender.finish(() => (isFinished = true))
      for (let turn = 0; !isFinished && turn < 10_000; turn++) {
        await nextTurn()
        if (isTaken.next().value) untaken.shift()?.taken()
      }
      assert.ok(isFinished)
      assert.deepEqual(arrived.map(indexIn(messages)), [...messages.keys()])
    })
  })

  it('combine messages sent in one turn', async () => {
    const frames: number[] = []
    const sender = createFrameSender<Message>((frame) => frames.push(frame.length))
    for (let count = 0; count < 100; count++) sender.send(messageOf(100))
    await new Promise<void>((resolve) => sender.finish(resolve))
    assert.deepEqual(frames, [100])
  })

  it('omit a message withdrawn before its turn', async () => {
    const arrived: Message[] = []
    const sender = createFrameSender<Message>((frame) => arrived.push(...frame))
    const [first, second] = [messageOf(1), messageOf(2)]
    for (const message of [first, second]) sender.send(message)
    sender.drop(first)
    await new Promise<void>((resolve) => sender.finish(resolve))
    assert.deepEqual(arrived, [second])
  })
})

const indexIn =
  (messages: readonly Message[]) =>
  (message: Message): number =>
    messages.indexOf(message)
