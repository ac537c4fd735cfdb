import assert from 'node:assert/strict'
import { createDeliveryStore } from '../../../gateway/webhooks/store.ts'
import type { DocumentChange } from '../../../shared/event-sourcing/ports/documents.ts'

/** A store whose writes fail while `isAway`. */
function documents() {
  const state = { isAway: false, onWrite: (): unknown => undefined, collected: 0 }
  const writes: (readonly DocumentChange[])[] = []
  const store = createDeliveryStore(
    {
      async write(changes) {
        if (state.isAway) throw new Error('away')
        state.onWrite()
        writes.push(changes)
      },
      read: async () => 'as written',
    },
    {
      mayWrite: () => true,
      collect: () => store.change('progress', String(++state.collected)),
    },
  )
  return { state, writes, store }
}

describe('The store of deliveries', () => {
  it('writes each document after all earlier changes, even after a failure', async () => {
    const { state, writes, store } = documents()
    state.isAway = true
    store.change('held/1', 'first')
    await assert.rejects(store.save())
    state.isAway = false
    store.change('held/2', 'second')
    await store.save()
    assert.deepEqual(writes, [
      [
        ['held/1', 'first'],
        ['held/2', 'second'],
        ['progress', '2'],
      ],
    ])
  })

  it('reports as durable what changed before its last successful round began', async () => {
    const { state, store } = documents()
    const rounds = [store.nextRound()]
    state.isAway = true
    await assert.rejects(store.save())
    assert.deepEqual(rounds.map(store.isDurable), [false])
    state.isAway = false
    rounds.push(store.nextRound())
    state.onWrite = () => rounds.push(store.nextRound())
    await store.save()
    assert.deepEqual(rounds.map(store.isDurable), [true, true, false])
  })

  it('writes much in pieces, in its order, and counts a round as durable only once all of it is written', async () => {
    const { state, writes, store } = documents()
    const keys = Array.from({ length: 20 }, (_, index) => `body/${index}`)
    for (const key of keys) store.change(key, 'x'.repeat(100_000))
    const round = store.nextRound()
    state.onWrite = () => {
      assert.ok(!store.isDurable(round))
      state.isAway = writes.length === 3
    }
    await assert.rejects(store.save())
    assert.ok(!store.isDurable(round))
    state.isAway = false
    state.onWrite = () => undefined
    await store.save()
    assert.ok(store.isDurable(round))
    assert.deepEqual(
      writes.flat().map(([key]) => key),
      [...keys, 'progress'],
    )
    assert.ok(Math.max(...writes.map(({ length }) => length)) <= 4)
  })
})
