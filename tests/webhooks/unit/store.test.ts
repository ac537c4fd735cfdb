import assert from 'node:assert/strict'
import { createDeliveryStore } from '../../../gateway/webhooks/store.ts'
import type { DocumentChange } from '../../../shared/event-sourcing/ports/documents.ts'

/** A store whose writes fail while `isAway`. */
function documents() {
  const state = { isAway: false, mayWrite: true, onWrite: (): unknown => undefined }
  const writes: (readonly DocumentChange[])[] = []
  const store = createDeliveryStore(
    {
      async write(changes) {
        if (state.isAway) throw new Error('away')
        state.onWrite()
        writes.push(changes)
      },
      read: async () => undefined,
      list: async () => new Map(),
      replace: async () => true,
    },
    () => state.mayWrite,
  )
  return { state, writes, store }
}

describe('The store of deliveries', () => {
  it('writes each document after all earlier changes, even after a failure', async () => {
    const { state, writes, store } = documents()
    let progress = 0
    const collect = (change: typeof store.change): void => change('progress', String(++progress))
    state.isAway = true
    store.change('held/1', 'first')
    store.mark(collect)
    await assert.rejects(store.flush())
    state.isAway = false
    store.change('held/2', 'second')
    store.mark(collect)
    await store.flush()
    assert.deepEqual(writes, [
      [
        ['held/1', 'first'],
        ['held/2', 'second'],
        ['progress', '2'],
      ],
    ])
  })

  it('reports as durable what was marked before its last successful flush began', async () => {
    const { state, store } = documents()
    const mark = () => store.mark((change) => change('progress', 'now'))
    const rounds = [mark()]
    state.isAway = true
    await assert.rejects(store.flush())
    assert.deepEqual(rounds.map(store.isDurable), [false])
    state.isAway = false
    rounds.push(mark())
    state.onWrite = () => rounds.push(mark())
    await store.flush()
    assert.deepEqual(rounds.map(store.isDurable), [true, true, false])
  })

  it('writes nothing while another process may write, and everything once it may again', async () => {
    const { state, writes, store } = documents()
    state.mayWrite = false
    store.change('held/1', 'first')
    await assert.rejects(store.flush())
    assert.deepEqual([writes, store.isDirty()], [[], true])
    state.mayWrite = true
    await store.flush()
    assert.equal(writes.length, 1)
  })
})
