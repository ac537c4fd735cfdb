import assert from 'node:assert/strict'
import { StoreUnavailable } from '../../shared/event-sourcing/ports/event-store.ts'
import { madeUpFeed } from '../support/made-up-feed.ts'
import { waitFor } from '../support/wait-for.ts'
import {
  context,
  delivering,
  describeDeliveries,
  PAST_FIRST_DELAY,
  receiver,
  versionsOf,
  withDocuments,
} from './delivering.ts'

describeDeliveries('Replays to webhooks', (newDatabase) => {
  it('repeat deliveries in order, and then continue', async () => {
    const { administration, feed, start, create } = delivering(await newDatabase())
    const [before, since] = [Date.now() - 10_000, Date.now() - 5_000]
    feed.add('1', { time: before })
    feed.add('1', { time: since })
    const one = await receiver()
    const { id, find } = await create(one.url)
    start()
    feed.add('1')
    await waitFor(() => one.received.length === 1)
    await administration.replay(id, since, context())
    await waitFor(() => one.received.length === 3)
    assert.deepEqual(versionsOf(one, '1'), [3, 2, 3])
    feed.add('1')
    await waitFor(() => one.received.length === 4)
    assert.deepEqual(versionsOf(one, '1'), [3, 2, 3, 4])
    await waitFor(async () => (await find()).waiting === 0)
  })

  it('include events of processes whose clocks are ahead, also after the logs were restored', async () => {
    const clock = () => Date.now() - 60_000
    const { administration, feed, start, create } = delivering(await newDatabase(), madeUpFeed(), clock)
    const one = await receiver()
    const { id } = await create(one.url)
    let running = start()
    for (const subject of ['1', '2', '3']) feed.add(subject)
    await waitFor(() => one.received.length === 3)
    await running.stop()
    running = start()
    await administration.replay(id, clock(), context())
    await waitFor(() => one.received.length === 6)
    await running.stop()
    feed.all.pop()
    start()
    await waitFor(() => one.received.length === 8)
    assert.deepEqual(
      one.received.slice(6).map(({ event }) => event.subject),
      ['1', '2'],
    )
  })

  it('include the event that was in flight when it began', async () => {
    const { administration, feed, start, create } = delivering(await newDatabase())
    feed.add('1')
    const answered = Promise.withResolvers<void>()
    const one = await receiver(async () => {
      await answered.promise
      return 204
    })
    const { id, find } = await create(one.url)
    start()
    feed.add('1')
    await waitFor(() => one.received.length === 1)
    await administration.replay(id, Date.now() - 60_000, context())
    await waitFor(async () => (await find()).waiting === 2)
    answered.resolve()
    await waitFor(async () => (await find()).waiting === 0)
    assert.deepEqual(versionsOf(one, '1'), [2, 1, 2])
  })

  it('end with the latest version of a record if they have sent others that are read again after it', async () => {
    let later = 0
    const feed = madeUpFeed()
    const replayed = Promise.withResolvers<void>()
    const read: typeof feed.read = async (range) => {
      if (range.since === undefined) await replayed.promise
      return await feed.read(range)
    }
    const clock = () => Date.now() + later
    const { administration, start, create } = delivering(await newDatabase(), { ...feed, read }, clock)
    const one = await receiver(({ event }) => (event.recordversion === 6 && later === 0 ? 500 : 204))
    const { id, find } = await create(one.url)
    start()
    for (let version = 1; version <= 6; version++) feed.add('1')
    await administration.replay(id, Date.now() - 60_000, context())
    await waitFor(() => versionsOf(one, '1').at(-1) === 6)
    replayed.resolve()
    // Those before the failed one are read once more, and sent before it.
    await waitFor(() => one.received.length === 11)
    later = PAST_FIRST_DELAY
    await waitFor(async () => (await find()).waiting === 0)
    assert.deepEqual(versionsOf(one, '1'), [1, 2, 3, 4, 5, 6, 1, 2, 3, 4, 5, 6])
  })

  it('lose no blocked event if they are interrupted while being stored', async () => {
    const database = await newDatabase()
    let isInterrupted = false
    const breaking = withDocuments(database, (documents) => ({
      ...documents,
      // Removes, and is killed before it writes.
      async write(changes) {
        const removed = changes.filter(([, text]) => text === undefined)
        isInterrupted ||= removed.length > 0
        await documents.write(isInterrupted ? removed : changes)
        if (isInterrupted) throw new StoreUnavailable('killed')
      },
    }))
    const { administration, feed, start, create } = delivering(breaking)
    const one = await receiver(() => 500)
    const { id, find } = await create(one.url)
    const running = start()
    for (const subject of ['1', '2', '1']) feed.add(subject)
    await waitFor(async () => (await find()).waiting === 3)
    await administration.replay(id, Date.now() - 60_000, context())
    await waitFor(() => isInterrupted)
    await running.stop()
    one.state.answering = () => 204
    const { received } = one
    received.length = 0
    const again = delivering(database, feed)
    again.start()
    await waitFor(() => versionsOf(one, '1').includes(2) && versionsOf(one, '2').includes(1))
    assert.deepEqual(versionsOf(one, '1').slice(0, 2), [1, 2])
  })
})
