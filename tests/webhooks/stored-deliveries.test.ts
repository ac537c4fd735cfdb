import assert from 'node:assert/strict'
import { setTimeout as delay } from 'node:timers/promises'
import { withTimeout } from '../../shared/async/with-timeout.ts'
import { StoreUnavailable } from '../../shared/event-sourcing/ports/event-store.ts'
import { invalidRequest } from '../../shared/fields/check.ts'
import { DELIVERIES } from '../../shared/webhooks/progress.ts'
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

const EDITED = 'mint.contract.edited.v1'

describeDeliveries('Stored deliveries to webhooks', (newDatabase) => {
  it('survive the process stopping at any time: none is lost, and each record stays in order', async () => {
    const began = Date.now()
    // Runs ten times as fast.
    const clock = () => began + 10 * (Date.now() - began)
    const { feed, start, create } = delivering(await newDatabase(), madeUpFeed(), clock)
    const ids = new Set<string>()
    const one = await receiver(({ event: { id } }) => {
      const isFirst = !ids.has(id)
      return isFirst && ids.add(id).size % 40 === 0 ? 500 : 204
    })
    const { find } = await create(one.url)
    for (let round = 0; round < 4; round++) {
      const running = start()
      for (let index = 0; index < 50; index++) feed.add(String(index % 20))
      await waitFor(() => one.received.length > round * 30)
      await running.stop()
    }
    start()
    await waitFor(
      async () => new Set(one.received.map(({ event }) => event.id)).size === 200 && (await find()).waiting === 0,
      { timeout: 25_000 },
    )
    for (let subject = 0; subject < 20; subject++) {
      const versions = versionsOf(one, String(subject))
      assert.deepEqual(
        [...versions].sort((a, b) => a - b),
        versions,
        `${subject} in order`,
      )
    }
  })

  it('wait for an unavailable receiver in bounded storage, and all arrive once it is back', async () => {
    const database = await newDatabase()
    const { administration, feed, start, create } = delivering(database)
    const one = await receiver()
    const { id, find } = await create(one.url)
    await administration.change(id, { paused: true }, context())
    start()
    for (let index = 0; index < 2_000; index++) feed.add(String(index % 1_000))
    const { waiting } = await waitFor(async () => {
      const webhook = await find()
      return webhook.waiting >= 1_000 ? webhook : undefined
    })
    assert.ok(waiting < 1_200)
    await delay(500)
    assert.ok((await database.documents(DELIVERIES).list('held/')).size < 1_200)
    await administration.change(id, { paused: false }, context())
    await waitFor(() => one.received.length === 2_000, { timeout: 60_000 })
    await waitFor(async () => (await find()).waiting === 0)
    assert.equal((await database.documents(DELIVERIES).list('held/')).size, 0)
    assert.equal((await database.documents(DELIVERIES).list('body/')).size, 0)
    assert.equal((await administration.deliveries(id)).length, 1_000)
  }).timeout(120_000)

  it('aren’t undone by a write that the same process gave up on before it began anew', async () => {
    const database = await newDatabase()
    const resumed = Promise.withResolvers<void>()
    const state = { isStalled: false, isAway: false, hasTried: false }
    // As on MongoDB: what is written through one object is carried out in order, even if it was given up on.
    const inOrder = withDocuments(database, (documents) => {
      let last = Promise.resolve()
      return {
        ...documents,
        async write(changes, lease) {
          const writing = async () => {
            const isFirst = !state.isStalled && changes.some(([key]) => key.startsWith('held/'))
            state.isStalled ||= isFirst
            if (isFirst) await resumed.promise
            await documents.write(changes, lease)
          }
          last = last.then(writing, writing)
          const isOfThird = changes.some(([, text]) => text?.includes('"subject":"3"'))
          await withTimeout(200, last, () => new StoreUnavailable('away')).finally(() => {
            state.hasTried ||= isOfThird
          })
        },
      }
    })
    const failing: typeof database = {
      ...inOrder,
      view: (definition) => ({
        ...database.view(definition),
        get(id) {
          const isAway = state.isAway
          state.isAway = false
          return isAway ? Promise.reject(new StoreUnavailable('away')) : database.view(definition).get(id)
        },
      }),
    }
    const answers = { status: 500 }
    const one = await receiver(() => answers.status)
    const { feed, administration, create } = delivering(database)
    const { id } = await create(one.url)
    feed.add('1')
    feed.add('2', { type: EDITED })
    const running = delivering(failing, feed).start()
    await waitFor(() => state.isStalled)
    state.isAway = true
    // So that it counts differently when it begins anew.
    await administration.change(id, { types: [EDITED] }, context())
    await waitFor(() => !state.isAway)
    feed.add('3', { type: EDITED })
    await waitFor(() => state.hasTried)
    resumed.resolve()
    await running.stop()

    answers.status = 204
    const before = one.received.length
    delivering(database, feed).start()
    await administration.change(id, { description: 'Try again' }, context())
    await waitFor(() => one.received.length === before + 2)
    const subjects = one.received.slice(before).map(({ event }) => event.subject)
    assert.deepEqual(subjects.toSorted(), ['2', '3'])
  })

  it('of tests wait in bounded storage: another one is refused while a thousand events wait', async () => {
    const { administration, feed, start, create } = delivering(await newDatabase())
    const { id, find } = await create('https://10.0.0.1/')
    await administration.change(id, { paused: true }, context())
    start()
    for (let event = 0; event < 999; event++) feed.add(String(event))
    await waitFor(async () => (await find()).waiting === 999)
    await administration.test(id, context())
    await waitFor(async () => (await find()).waiting === 1_000)
    await assert.rejects(administration.test(id, context()), { code: 'rate_limited' })
  })

  it('begin without all that ever happened to the webhooks in memory', async () => {
    const database = await newDatabase()
    const one = await receiver()
    const former = delivering(database)
    const { id } = await former.create(one.url)
    for (let rotation = 0; rotation < 30; rotation++)
      await former.administration.rotate(id, { graceSeconds: 0 }, context())
    await former.administration.test(id, context())
    let most = 0
    const readStream: typeof database.events.readStream = async (stream, range) => {
      const events = await database.events.readStream(stream, range)
      most = Math.max(most, events.length)
      return events
    }
    delivering({ ...database, events: { ...database.events, readStream } }).start()
    await waitFor(() => one.received.length === 1)
    assert.ok(most < 30, `${most} at a time`)
  })

  it('begin with what has happened to the webhooks since the last process that delivered', async () => {
    const database = await newDatabase()
    const one = await receiver()
    const former = delivering(database)
    const { id } = await former.create(one.url)
    const { id: quiet } = await former.create(one.url)
    for (let rotation = 0; rotation < 30; rotation++)
      await former.administration.rotate(id, { graceSeconds: 0 }, context())
    await former.administration.test(id, context())
    const running = former.start()
    await waitFor(() => one.received.length === 1)
    await running.stop()
    let read = 0
    const readStream: typeof database.events.readStream = async (stream, range) => {
      const events = await database.events.readStream(stream, range)
      read += events.length
      return events
    }
    await former.administration.test(quiet, context())
    delivering({ ...database, events: { ...database.events, readStream } }).start()
    await waitFor(() => one.received.length === 2)
    assert.equal(one.received.at(-1)?.event.subject, quiet)
    assert.equal(read, 1)
  })

  it('leave nothing behind, even if the last webhook is deleted while Mint is stopped', async () => {
    const database = await newDatabase()
    const { administration, feed, start, create } = delivering(database)
    const one = await receiver(() => 500)
    const { id, find } = await create(one.url)
    const running = start()
    feed.add('1')
    await waitFor(async () => (await find()).waiting === 1)
    await running.stop()
    await administration.remove(id, context())
    start()
    await waitFor(async () => (await database.documents(DELIVERIES).list('')).size === 0)
  })

  it('resume where they were after the feed was unavailable, or refused a read for any reason but the cursor', async () => {
    const { feed, lines, start, create } = delivering(await newDatabase())
    const one = await receiver()
    await create(one.url)
    start()
    feed.add('1')
    await waitFor(() => one.received.length === 1)
    const refusal = { pointer: '/limit', code: 'out_of_range', message: 'Too many.' }
    feed.state.errors.push(new Error('the feed is away'), invalidRequest([refusal]))
    feed.add('2')
    await waitFor(() => feed.state.errors.length === 0)
    feed.add('3')
    await waitFor(() => versionsOf(one, '3').length === 1)
    assert.deepEqual(
      one.received.map(({ event }) => event.subject),
      ['1', '2', '3'],
    )
    assert.ok(lines.some(({ msg }) => msg === 'events can’t be read now'))
  })

  it('start over from the webhook’s creation if the logs were restored to before their position', async () => {
    const { feed, start, create } = delivering(await newDatabase())
    const one = await receiver()
    feed.add('1', { time: Date.now() - 60_000 })
    await create(one.url)
    const running = start()
    feed.add('2')
    feed.add('3')
    await waitFor(() => one.received.length === 2)
    await running.stop()
    feed.all.pop()
    start()
    await waitFor(() => one.received.length === 3)
    feed.add('4')
    await waitFor(() => one.received.length === 4)
    assert.deepEqual(
      one.received.map(({ event }) => event.subject),
      ['2', '3', '2', '4'],
    )
  })

  it('include the event that a restored log has at the position of a blocked one', async () => {
    const { administration, feed, start, create } = delivering(await newDatabase())
    const one = await receiver(({ event }) => (event.subject.startsWith('lost') ? 500 : 204))
    const { id } = await create(one.url)
    const running = start()
    feed.add('1')
    const lost = [feed.add('lost 1').id, feed.add('lost 2').id]
    await waitFor(async () => (await administration.deliveries(id)).length === 3)
    await running.stop()
    feed.all.splice(1)
    start()
    await waitFor(() => versionsOf(one, '1').length === 2)
    const instead = [feed.add('2').id, feed.add('3').id]
    assert.deepEqual(instead, lost)
    await waitFor(() => versionsOf(one, '2').length === 1 && versionsOf(one, '3').length === 1)
    assert.equal(one.received.length, 6, 'no event of before comes again')
  })

  it('keep their whole body if storing them was interrupted', async () => {
    const database = await newDatabase()
    let isInterrupted = false
    const breaking = withDocuments(database, (documents) => ({
      ...documents,
      async write(changes) {
        const held = changes.findIndex(([key]) => key.startsWith('held/'))
        if (held !== -1 && !isInterrupted) await documents.write(changes.slice(0, held + 1))
        isInterrupted ||= held !== -1
        if (isInterrupted) throw new StoreUnavailable('killed')
        await documents.write(changes)
      },
    }))
    const { feed, start, create } = delivering(breaking)
    const one = await receiver(() => 500)
    await create(one.url)
    const running = start()
    feed.add('1')
    await waitFor(() => isInterrupted)
    await running.stop()
    const { length } = one.received
    delivering(database, feed, () => Date.now() + PAST_FIRST_DELAY).start()
    await waitFor(() => one.received.length > length)
    assert.equal(one.received.at(-1)?.event.subject, '1')
  })

  it('are not repeated with an empty body if removing them was interrupted', async () => {
    const database = await newDatabase()
    let isInterrupted = false
    const breaking = withDocuments(database, (documents) => ({
      ...documents,
      // MongoDB removes documents one after another, in the order of their keys.
      async write(changes) {
        const bodies = changes.filter(([key, text]) => key.startsWith('body/') && text === undefined)
        isInterrupted ||= bodies.length > 0
        await documents.write(isInterrupted ? bodies : changes)
        if (isInterrupted) throw new StoreUnavailable('killed')
      },
    }))
    let later = 0
    const { feed, start, create } = delivering(breaking, madeUpFeed(), () => Date.now() + later)
    const one = await receiver(() => (later === 0 ? 500 : 204))
    const { find } = await create(one.url)
    const running = start()
    feed.add('1')
    await waitFor(async () => (await find()).waiting === 1 && one.received.length === 1)
    later = PAST_FIRST_DELAY
    await waitFor(() => isInterrupted)
    await running.stop()
    assert.deepEqual(versionsOf(one, '1'), [1, 1])
    const { length } = one.received
    delivering(database, feed, () => Date.now() + later).start()
    feed.add('1')
    await waitFor(async () => versionsOf(one, '1').at(-1) === 2 && (await find()).waiting === 0)
    assert.equal(one.received.length, length + 1)
  })

  it('are neither sent nor stored by a process whose lease has expired, however long its database blocked it', async () => {
    const database = await newDatabase()
    const written = Promise.withResolvers<void>()
    let [writes, isSlow] = [0, true]
    const slow = withDocuments(database, (documents) => ({
      ...documents,
      async write(changes) {
        writes++
        if (isSlow) await written.promise
        return await documents.write(changes)
      },
    }))
    const { feed, start, create } = delivering(slow)
    const one = await receiver()
    await create(one.url)
    const running = start()
    feed.add('1')
    await waitFor(() => writes === 1)
    feed.add('1')
    await delay(100)
    assert.deepEqual(versionsOf(one, '1'), [1], 'the second waits for the first to be stored')
    const stopped = running.stop()
    await delay(1_500)
    delivering(database, feed).start()
    await waitFor(() => versionsOf(one, '1').length === 3)
    feed.add('1')
    await waitFor(() => versionsOf(one, '1').length === 4)
    // By then, the first process has tried to renew its lease.
    await delay(1_500)
    isSlow = false
    written.resolve()
    await stopped
    await delay(300)
    assert.deepEqual(versionsOf(one, '1'), [1, 1, 2, 3])
    assert.equal(writes, 1)
  })

  it('advance past events of other types, which are not read again after a restart', async () => {
    const database = await newDatabase()
    const { feed, start, create } = delivering(database)
    const one = await receiver()
    const { id } = await create(one.url, ['mint.firm.edited.v1'])
    const running = start()
    for (let index = 0; index < 250; index++) feed.add(String(index))
    const place = async () =>
      JSON.parse((await database.documents(DELIVERIES).read(`progress/${id}`)) ?? '{}').live?.after
    await waitFor(async () => (await place()) === '250')
    await running.stop()
    assert.equal(one.received.length, 0)
  })
})
