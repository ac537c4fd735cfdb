import assert from 'node:assert/strict'
import { BEFORE_ALL, createQueue, type Entry } from '../../../gateway/webhooks/queue.ts'

const event = (id: string, changes: Partial<Entry> = {}): Entry => ({
  id,
  type: 'mint.contract.edited.v1',
  subject: '7',
  record: id.slice(0, 1),
  time: 1,
  attempt: 0,
  dueAt: 1,
  ...changes,
})

function queueOf(...entries: readonly Entry[]) {
  const queue = createQueue()
  for (const entry of entries) queue.put(entry)
  return queue
}

describe('The queue of a webhook', () => {
  it('sends a record’s next event once the previous one is delivered, and those of other records meanwhile', () => {
    const [a1, a2, b1] = [event('a1'), event('a2'), event('b1')]
    const queue = queueOf(a1, a2, b1)
    assert.deepEqual([queue.next(1)?.id, queue.next(1)?.id, queue.next(1)?.id], ['a1', 'b1', undefined])
    queue.remove(a1)
    assert.equal(queue.next(1)?.id, 'a2')
  })

  it('blocks a record until its failed event is due again', () => {
    const queue = queueOf(event('a1'), event('a2'), event('b1'))
    queue.next(1)
    queue.put(event('a1', { attempt: 1, dueAt: 50 }))
    queue.settle('a1')
    assert.deepEqual([queue.next(49)?.id, queue.next(49)?.id, queue.dueAt()], ['b1', undefined, 50])
    const again = queue.next(50)
    assert.deepEqual([again?.id, again?.attempt], ['a1', 1])
  })

  it('starts with prioritised events, then the longest overdue', () => {
    const queue = queueOf(event('a1', { dueAt: 5 }), event('b1', { dueAt: 3 }), event('c1', { dueAt: BEFORE_ALL }))
    assert.deepEqual(
      [9, 9, 9].map((now) => queue.next(now)?.id),
      ['c1', 'b1', 'a1'],
    )
  })

  it('holds any number of events', () => {
    const queue = createQueue()
    for (let index = 0; index < 200_000; index++) queue.put(event(`${index}`, { record: `${index}` }))
    assert.equal(queue.dueAt(), 1)
  })

  it('reports its contents', () => {
    const queue = queueOf(event('a1'), event('a2'))
    assert.deepEqual([queue.size(), queue.get('a2')?.id, queue.sending(), queue.dueAt()], [2, 'a2', 0, 1])
    queue.next(1)
    assert.deepEqual([queue.sending(), queue.dueAt()], [1, Number.POSITIVE_INFINITY])
    for (const entry of queue.all()) queue.remove(entry)
    assert.deepEqual([queue.size(), queue.get('a2')?.id, queue.sending()], [0, undefined, 0])
  })
})
