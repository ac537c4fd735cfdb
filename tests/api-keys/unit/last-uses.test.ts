import assert from 'node:assert/strict'
import { createLastUses } from '../../../shared/api-keys/serving/last-uses.ts'
import { atEnd } from '../../support/cleanup.ts'
import { quietLogger } from '../../support/quiet-logger.ts'
import { waitFor } from '../../support/wait-for.ts'

describe('The last uses of keys', () => {
  function newLastUses({ away = false } = {}) {
    const store = { away, begun: 0, hold: Promise.resolve(), written: [] as ReadonlyMap<string, number>[] }
    const lastUses = {
      async raise(times: ReadonlyMap<string, number>) {
        store.begun++
        await store.hold
        if (store.away) throw new Error('away')
        store.written.push(times)
      },
    }
    const uses = atEnd.stop(createLastUses({ lastUses, logger: quietLogger(), writeMilliseconds: 20 }))
    return { uses, store }
  }

  it('are written periodically, only the latest of each key, all in one write', async () => {
    const { uses, store } = newLastUses()
    for (const [id, at] of [
      ['a', 1],
      ['b', 2],
      ['a', 3],
    ] as const)
      uses.note(id, at)
    await waitFor(() => store.written.length > 0)
    assert.deepEqual(store.written, [
      new Map([
        ['a', 3],
        ['b', 2],
      ]),
    ])
  })

  it('are written on stopping, and not again if no key was used since', async () => {
    const { uses, store } = newLastUses()
    uses.note('a', 1)
    await uses.stop()
    await uses.stop()
    assert.deepEqual(store.written, [new Map([['a', 1]])])
  })

  it('are written in full before stopping ends', async () => {
    const { uses, store } = newLastUses()
    const slow = Promise.withResolvers<void>()
    store.hold = slow.promise
    uses.note('a', 1)
    await waitFor(() => store.begun > 0)
    let ended = false
    const stopped = uses.stop().then(() => {
      ended = true
    })
    await Promise.race([stopped, new Promise(setImmediate)])
    assert.equal(ended, false)
    slow.resolve()
    await stopped
    assert.deepEqual(store.written, [new Map([['a', 1]])])
  })

  it('are written once the store is back, and never replace later ones', async () => {
    const { uses, store } = newLastUses({ away: true })
    uses.note('a', 1)
    uses.note('b', 1)
    await uses.stop()
    uses.note('a', 2)
    store.away = false
    await uses.stop()
    assert.deepEqual(store.written, [
      new Map([
        ['a', 2],
        ['b', 1],
      ]),
    ])
  })
})
