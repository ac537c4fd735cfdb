import assert from 'node:assert/strict'
import { setImmediate as nextTurn } from 'node:timers/promises'
import { createKeyLanes, createLanes } from '../../../shared/calls/lanes.ts'
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

  for (const lane of ['record', 'write'] as const) {
    it(`leave the event loop to a key with “${lane}” calls for as long as each long list blocked it`, async () => {
      const lanes = createKeyLanes(300)
      const order: string[] = []
      const listing = async (name: string) => {
        const end = performance.now() + 40
        while (performance.now() < end);
        order.push(name)
      }
      const read = async (name: string) => void order.push(name)
      await lanes('b', lane, () => read('record 0'))
      const lists = []
      for (const name of ['list 1', 'list 2', 'list 3', 'list 4']) {
        lists.push(lanes('a', 'long-read', () => listing(name)))
        // Like requests that arrive together: one after another, with nothing in between.
        await new Promise<void>((resolve) => process.nextTick(resolve))
      }
      for (let count = 1; count <= 10; count++) {
        await nextTurn()
        await lanes('b', lane, () => read(`record ${count}`))
      }
      assert.ok(order.indexOf('record 10') < order.indexOf('list 3') || !order.includes('list 3'), order.join(', '))
      await Promise.all(lists)
      assert.equal(order.at(-1), 'list 4')
    })
  }
})
