import assert from 'node:assert/strict'
import { setImmediate as nextTurn } from 'node:timers/promises'
import { createTurnQueue } from '../../../shared/rpc/call-stream/turn-queue.ts'

const numbers = (first: number, last: number) => Array.from({ length: last - first + 1 }, (_, index) => first + index)

describe('A turn queue', () => {
  function given(perTurn: number) {
    const handedOn: number[] = []
    const queue = createTurnQueue<number>(perTurn, (item) => handedOn.push(item))
    return { handedOn, queue, add: (items: readonly number[]) => items.forEach(queue.add) }
  }

  it('hands on so many in a turn, in order, and others have their turn in between', async () => {
    const { handedOn, add } = given(3)
    add(numbers(1, 7))
    assert.deepEqual(handedOn, [1, 2, 3])
    await nextTurn()
    assert.deepEqual(handedOn, numbers(1, 6))
    add([8])
    assert.deepEqual(handedOn, numbers(1, 6), 'what comes later waits behind what waits already')
    await nextTurn()
    assert.deepEqual(handedOn, numbers(1, 8))
  })

  it('hands on at once what comes in a later turn', async () => {
    const { handedOn, add } = given(3)
    for (const item of numbers(1, 9)) {
      add([item])
      assert.equal(handedOn.at(-1), item)
      if (item % 3 === 0) await nextTurn()
    }
  })

  it('hands on all that waits when it is told to finish', async () => {
    const { handedOn, queue, add } = given(3)
    add(numbers(1, 8))
    queue.finish()
    assert.deepEqual(handedOn, numbers(1, 8))
    await nextTurn()
    assert.deepEqual(handedOn, numbers(1, 8))
  })
})
