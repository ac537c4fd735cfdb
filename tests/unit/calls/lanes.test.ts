import assert from 'node:assert/strict'
import { setImmediate as nextTurn } from 'node:timers/promises'
import { createKeyLanes, createLanes } from '../../../shared/calls/lanes.ts'
import { countTurns } from '../../support/count-turns.ts'
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

  it('let another caller through, however much the first asks for', async () => {
    const { run, begun } = twoAtOnce()
    for (const name of ['a1', 'a2', 'a3', 'a4', 'b1']) void run(name)
    await nextTurn()
    assert.deepEqual(begun, ['a1', 'a2', 'b1'])
  })

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

  it('start one task in the turn after a rest, even if another task has ended meanwhile without one', async () => {
    const rests = [20]
    const lanes = createLanes(2, () => rests.shift() ?? 0)
    const counted = countTurns()
    const ends: (() => void)[] = []
    const turns: number[] = []
    const run = () =>
      lanes('a', () => {
        turns.push(counted.now())
        return new Promise<void>((resolve) => ends.push(resolve))
      })
    for (let count = 0; count < 4; count++) void run()
    for (const end of ends.splice(0)) {
      end()
      await nextTurn()
    }
    await waitFor(() => turns.length === 4)
    counted.stop()
    const [first, second, third, fourth] = turns
    assert.equal(first, second)
    assert.notEqual(third, fourth)
  })

  it('let a key read a record while its lists fill their own lane', async () => {
    const lanes = createKeyLanes(300)
    const begun: string[] = []
    const read = (lane: 'record' | 'long-read', name: string) =>
      void lanes('a', lane, () => {
        begun.push(name)
        return new Promise(() => {})
      })
    for (const name of ['list 1', 'list 2', 'list 3', 'list 4', 'list 5']) read('long-read', name)
    read('record', 'record')
    await nextTurn()
    assert.deepEqual(begun, ['list 1', 'list 2', 'list 3', 'list 4', 'record'])
  })

  it('rest after each long read for as long as it blocked the event loop, while another key calls', async () => {
    const lanes = createKeyLanes(300)
    const runs: { readonly begun: number; readonly ended: number }[] = []
    const block = async () => {
      const begun = performance.now()
      while (performance.now() < begun + 40);
      runs.push({ begun, ended: performance.now() })
    }
    const calling = new AbortController()
    const others = (async () => {
      while (!calling.signal.aborted) await lanes('b', 'write', nextTurn)
    })()
    const blocking = []
    for (let count = 0; count < 4; count++) {
      blocking.push(lanes('a', 'long-read', block))
      // Like requests that arrive together: one after another, with nothing in between.
      await new Promise<void>((resolve) => process.nextTick(resolve))
    }
    await Promise.all(blocking)
    calling.abort()
    await others
    const rests = runs.slice(1).map(({ begun }, index) => Math.round(begun - (runs[index]?.ended ?? 0)))
    assert.equal(rests.length, 3)
    for (const rest of rests) assert.ok(rest >= 38, `rests of ${rests.join(', ')} ms after blocks of 40 ms`)
  })
})
