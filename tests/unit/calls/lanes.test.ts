import assert from 'node:assert/strict'
import { setImmediate as nextTurn } from 'node:timers/promises'
import { CALLER_LEFT } from '../../../shared/calls/errors.ts'
import { createLanes } from '../../../shared/calls/lanes.ts'
import type { Closable } from '../../../shared/calls/line.ts'
import { aClosable } from '../../support/closable.ts'
import { block, countTurns } from '../../support/count-turns.ts'
import { waitFor } from '../../support/wait-for.ts'

describe('Lanes', () => {
  function twoAtOnce() {
    const lanes = createLanes(2)
    const begun: string[] = []
    const ends: (() => void)[] = []
    const run = (name: string) =>
      lanes(name.charAt(0), async () => {
        begun.push(name)
        await new Promise<void>((resolve) => ends.push(resolve))
        if (name.endsWith('!')) throw new Error(name)
        return name
      })
    return { run, begun, endNext: () => ends.shift()?.() }
  }

  it('let the process do other things between two tasks that never wait', async () => {
    const lanes = createLanes(1)
    let done = 0
    const task = async () => void done++
    const tasks = Array.from({ length: 50 }, () => lanes('a', task))
    await nextTurn()
    assert.ok(done < 5, `${done} of 50 before anything else`)
    await Promise.all(tasks)
  })

  it('run waiting tasks in order as earlier ones succeed or fail', async () => {
    const { run, begun, endNext } = twoAtOnce()
    const answers = Promise.allSettled(['a1!', 'a2', 'a3', 'a4'].map(run))
    for (let count = 2; count <= 4; count++) {
      await waitFor(() => begun.length === count)
      endNext()
    }
    endNext()
    assert.deepEqual(begun, ['a1!', 'a2', 'a3', 'a4'])
    assert.deepEqual(
      (await answers).map(({ status }) => status),
      ['rejected', 'fulfilled', 'fulfilled', 'fulfilled'],
    )
  })

  it('run tasks of different callers concurrently', async () => {
    const lanes = createLanes(1)
    const { promise, resolve } = Promise.withResolvers<string>()
    const waiting = lanes('one', () => promise)
    assert.equal(await lanes('two', async () => 'not held up'), 'not held up')
    resolve('done')
    assert.equal(await waiting, 'done')
  })

  it('start what waited in its caller’s turns: after a task that blocked the event loop, others’ work comes first', async () => {
    const lanes = createLanes(1)
    const counted = countTurns()
    const tasks = Array.from({ length: 5 }, () =>
      lanes('waited', async () => {
        const turn = counted.now()
        block(40)
        return turn
      }),
    )
    // The first one didn't wait: whoever calls has started it.
    const [, ...turns] = await Promise.all(tasks)
    counted.stop()
    const pauses = turns.slice(1).map((turn, index) => turn - (turns[index] ?? 0))
    assert.equal(pauses.length, 3)
    for (const pause of pauses) assert.ok(pause >= 15, `started ${pauses.join(', ')} turns later`)
  })

  it('drop a task that waits once nobody waits for it any more, also when its turn has come', async () => {
    const lanes = createLanes(1)
    const begun: string[] = []
    const first = Promise.withResolvers<void>()
    const leaving = aClosable()
    const run = (name: string, stream?: Closable) => lanes('a', async () => void begun.push(name), stream)
    void lanes('a', () => first.promise)
    const left = run('left', leaving)
    const last = run('last')
    first.resolve()
    await first.promise.then(() => undefined)
    leaving.close()
    await assert.rejects(left, CALLER_LEFT)
    await last
    assert.deepEqual(begun, ['last'])
  })
})
