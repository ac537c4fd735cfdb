import assert from 'node:assert/strict'
import { BEFORE_ALL, createQueue, type Queued } from '../../../gateway/webhooks/queue.ts'

const event = (id: string, changes: Partial<Queued> = {}): Queued => ({
  id,
  type: 'mint.contract.edited.v1',
  subject: '7',
  record: id.slice(0, 1),
  time: 1,
  attempt: 0,
  dueAt: 1,
  ...changes,
})

/** A queue, and what it has stored. */
function queueOf(...entries: readonly Queued[]) {
  const stored = new Map<string, string>()
  const change = (key: string, text: string | undefined) => {
    if (text === undefined) stored.delete(key)
    else stored.set(key, text)
  }
  const store = { change, read: async (key: string) => stored.get(key) }
  const queue = createQueue('one', [], store)
  for (const entry of entries) queue.add(entry)
  return { queue, stored, again: () => createQueue('one', heldIn(stored), store) }
}

const heldIn = (stored: ReadonlyMap<string, string>): readonly Queued[] =>
  [...stored].flatMap(([key, text]) => (key.startsWith('held/one/') ? [JSON.parse(text)] : []))

describe('The queue of a webhook', () => {
  it('starts with prioritised events, then the longest overdue', () => {
    const { queue } = queueOf(event('a1', { dueAt: 5 }), event('b1', { dueAt: 3 }), event('c1', { dueAt: BEFORE_ALL }))
    assert.deepEqual([queue.first([])?.id, queue.first(['c'])?.id, queue.first(['c', 'b'])?.id], ['c1', 'b1', 'a1'])
  })

  it('stores events in their order, each body once, and continues with them', async () => {
    const a2 = event('a2', { body: 'second' })
    const { queue, stored, again } = queueOf(event('a1', { body: 'first' }), a2)
    queue.putNew()
    assert.equal(await queue.bodyOf(a2), 'second')
    a2.attempt = 1
    queue.put(a2)
    assert.equal(stored.size, 4)
    const next = again()
    assert.deepEqual(
      next.all().map(({ id, attempt }) => [id, attempt]),
      [
        ['a1', 0],
        ['a2', 1],
      ],
    )
    const b1 = event('b1', { body: 'third' })
    next.add(b1)
    next.putNew()
    assert.deepEqual(await Promise.all(next.all().map(next.bodyOf)), ['first', 'second', 'third'])
    for (const entry of next.all()) next.remove(entry)
    assert.equal(stored.size, 0)
  })

  it('stores nothing of an event that is delivered before it would be', () => {
    const a1 = event('a1', { body: 'first' })
    const { queue, stored } = queueOf(a1)
    queue.remove(a1)
    queue.putNew()
    assert.equal(stored.size, 0)
  })
})
