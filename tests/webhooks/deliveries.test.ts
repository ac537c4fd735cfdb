import assert from 'node:assert/strict'
import { setTimeout as delay } from 'node:timers/promises'
import { deliveryRule, networks } from '../../gateway/webhooks/addresses.ts'
import { startDelivering } from '../../gateway/webhooks/deliver.ts'
import { newRequestId, newUuid } from '../../shared/calls/ids.ts'
import { toCommandContext } from '../../shared/event-sourcing/command-context.ts'
import type { Database } from '../../shared/event-sourcing/ports/database.ts'
import type { Documents } from '../../shared/event-sourcing/ports/documents.ts'
import { StoreUnavailable } from '../../shared/event-sourcing/ports/event-store.ts'
import { invalidRequest } from '../../shared/fields/check.ts'
import { createWebhookAdministration } from '../../shared/webhooks/administration.ts'
import { DELIVERIES, heldKey, type Progress, progressKey } from '../../shared/webhooks/progress.ts'
import { sealingWith } from '../../shared/webhooks/secret.ts'
import { gatewayViews } from '../../shared/webhooks/view.ts'
import { atEnd } from '../support/cleanup.ts'
import { collectingLogger } from '../support/collecting-logger.ts'
import { describeOnDatabases } from '../support/database-fixtures.ts'
import { madeUpFeed } from '../support/made-up-feed.ts'
import { type Receiver, startReceiver } from '../support/receiver.ts'
import { waitFor } from '../support/wait-for.ts'

const context = () => toCommandContext({ actor: 'test', requestId: newRequestId() })
const sealing = sealingWith('a key')

/** Longer than the delay before the first retry, in milliseconds. */
const PAST_FIRST_DELAY = 6_000

/** The versions of a record in the order in which they arrived. */
const versionsOf = ({ received }: Receiver, subject: string): readonly number[] =>
  received.filter(({ event }) => event.subject === subject).map(({ event }) => event.recordversion)

/** The database with its documents wrapped by `change`. */
const withDocuments = (database: Database, change: (documents: Documents) => Documents): Database => ({
  ...database,
  documents: (kind) => change(database.documents(kind)),
})

describeOnDatabases('Deliveries to webhooks', (open) => {
  /** Delivers the feed by the given clock. */
  function delivering(database: Database, feed = madeUpFeed(), clock = Date.now) {
    const administration = createWebhookAdministration({
      database,
      clock,
      newId: newUuid,
      sealing,
      feedEnd: async () => feed.end(),
    })
    const attempts = { delivered: 0, failed: 0 }
    const { logger, lines } = collectingLogger()
    const start = () => {
      const running = startDelivering({
        database,
        administration,
        readPage: (range) => feed.read(range),
        beyond: feed.beyond,
        isAllowed: deliveryRule(networks(['127.0.0.0/8'])),
        attemptMilliseconds: 1_500,
        sealing,
        clock,
        random: Math.random,
        onAttempt: (outcome) => void attempts[outcome]++,
        holder: 'test',
        leaseMilliseconds: 3_000,
        logger,
      })
      return atEnd.stop(running)
    }
    const create = async (url: string, types: readonly string[] = []) => {
      const { webhook, secret } = await administration.create({ url, types, description: '' }, context())
      return { id: webhook.id, secret, find: () => administration.find(webhook.id) }
    }
    return { administration, feed, attempts, lines, start, create }
  }

  const newDatabase = async () => (await open(gatewayViews)).database
  const receiver = async (answering?: Parameters<typeof startReceiver>[0]) => atEnd.stop(await startReceiver(answering))

  it('carry the events after the webhook’s creation, of the requested types only, signed', async () => {
    const { feed, start, create } = delivering(await newDatabase())
    const [all, some] = [await receiver(), await receiver()]
    feed.add('1')
    all.state.secret = (await create(all.url)).secret
    const { secret, find } = await create(some.url, ['mint.contract.edited.v1'])
    some.state.secret = secret
    start()
    for (let version = 1; version <= 3; version++) for (const subject of ['1', '2', '3']) feed.add(subject)
    await waitFor(() => all.received.length === 9 && some.received.length === 7)
    assert.deepEqual(
      [versionsOf(all, '1'), versionsOf(all, '2')],
      [
        [2, 3, 4],
        [1, 2, 3],
      ],
    )
    assert.deepEqual([all.state.unverified, some.state.unverified], [0, 0])
    const [{ headers, event } = assert.fail()] = all.received
    assert.equal(headers['content-type'], 'application/cloudevents+json')
    assert.equal(headers['webhook-id'], event.id)
    assert.deepEqual([event.specversion, event.data], ['1.0', { id: event.subject, version: event.recordversion }])
    const { lastDeliveredAt, waiting } = await waitFor(async () => {
      const webhook = await find()
      return webhook.lastDeliveredAt !== null && webhook.waiting === 0 ? webhook : undefined
    })
    assert.ok(Math.abs(Date.now() - (lastDeliveredAt ?? 0)) < 5_000)
    assert.equal(waiting, 0)
  })

  it('are in order for each record, and a failing record does not block the others', async () => {
    let later = 0
    const { feed, start, create } = delivering(await newDatabase(), madeUpFeed(), () => Date.now() + later)
    const one = await receiver(({ event }) => (event.subject === '1' && one.received.length < 60 ? 500 : 204))
    const { find } = await create(one.url)
    start()
    for (let version = 0; version < 30; version++) for (const subject of ['1', '2', '3']) feed.add(subject)
    await waitFor(() => versionsOf(one, '2').length === 30 && versionsOf(one, '3').length === 30)
    assert.deepEqual([versionsOf(one, '1'), versionsOf(one, '2')], [[1], Array.from({ length: 30 }, (_, i) => i + 1)])
    await waitFor(async () => (await find()).waiting === 30)
    assert.equal((await find()).lastFailure?.reason, 'The receiver answered 500.')
    later = PAST_FIRST_DELAY
    await waitFor(() => versionsOf(one, '1').length === 31)
    assert.deepEqual(versionsOf(one, '1'), [1, ...Array.from({ length: 30 }, (_, i) => i + 1)])
    await waitFor(async () => (await find()).waiting === 0)
  })

  it('are repeated in time although the clock is set back, with the process running or not', async () => {
    const HALF_HOUR = 30 * 60 * 1_000
    let ahead = 2 * HALF_HOUR
    const clock = () => Date.now() + ahead
    const database = await newDatabase()
    const { feed, attempts, start, create } = delivering(database, madeUpFeed(), clock)
    const one = await receiver(() => (one.received.length < 3 ? 500 : 204))
    const { id } = await create(one.url)
    const running = start()
    feed.add('1')
    await waitFor(() => attempts.failed === 1)
    ahead -= HALF_HOUR
    await waitFor(() => attempts.failed === 2)
    await running.stop()
    ahead -= HALF_HOUR
    start()
    await waitFor(async () => {
      const [held = assert.fail('an event waits')] = (await database.documents(DELIVERIES).list(heldKey(id))).values()
      return JSON.parse(held).dueAt < clock() + 70_000
    })
    ahead += 70_000
    await waitFor(() => attempts.delivered === 1)
  })

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

  it('stop on 410, and resume with the event that got it', async () => {
    const { administration, feed, start, create } = delivering(await newDatabase())
    const one = await receiver(({ event }) => (event.subject === '2' ? 410 : 204))
    const { id, find } = await create(one.url)
    start()
    for (const subject of ['1', '2']) feed.add(subject)
    const { lastFailure, waiting } = await waitFor(async () => {
      const webhook = await find()
      return webhook.pausedReason === 'gone' ? webhook : undefined
    })
    assert.deepEqual([lastFailure?.status, waiting], [410, 1])
    for (const subject of ['1', '3', '2']) feed.add(subject)
    await waitFor(async () => (await find()).waiting === 4)
    assert.equal(one.received.length, 2)
    one.state.answering = () => 204
    await administration.change(id, { paused: false }, context())
    await waitFor(() => one.received.length === 6)
    assert.deepEqual(one.received.map(({ event }) => `${event.subject}/${event.recordversion}`).slice(2, 3), ['2/1'])
    assert.deepEqual(versionsOf(one, '2'), [1, 1, 2])
    await waitFor(async () => (await find()).waiting === 0)
    assert.equal((await find()).pausedReason, null)
  })

  it('include what was already waiting when the types change, and only the new types afterwards', async () => {
    const { administration, feed, start, create } = delivering(await newDatabase())
    const one = await receiver()
    const { id, find } = await create(one.url)
    await administration.change(id, { paused: true }, context())
    start()
    feed.add('1')
    await waitFor(async () => (await find()).waiting === 1)
    await administration.change(id, { paused: false, types: ['mint.firm.edited.v1'] }, context())
    await waitFor(() => one.received.length === 1)
    feed.add('2')
    feed.add('firm', { type: 'mint.firm.edited.v1' })
    await waitFor(() => one.received.length === 2)
    assert.deepEqual(
      one.received.map(({ event }) => event.subject),
      ['1', 'firm'],
    )
  })

  it('of types that it has no more are not sent to another URL: who set it may not be allowed to read them', async () => {
    const { administration, feed, start, create } = delivering(await newDatabase())
    const [one, other] = [await receiver(), await receiver()]
    const { id, find } = await create(one.url)
    await administration.change(id, { paused: true }, context())
    start()
    feed.add('1')
    feed.add('firm', { type: 'mint.firm.edited.v1' })
    await waitFor(async () => (await find()).waiting === 2)
    await administration.change(id, { types: ['mint.firm.edited.v1'] }, context())
    await administration.change(id, { url: other.url, paused: false }, context())
    await waitFor(async () => (await find()).waiting === 0)
    assert.deepEqual(
      [one, other].map(({ received }) => received.map(({ event }) => event.subject)),
      [[], ['firm']],
    )
  })

  it('are paused only after five days of failures', async () => {
    const began = Date.now()
    // Each attempt advances the clock by the longest delay before a retry: 11 hours.
    let failed = () => 0
    const clock = () => began + failed() * 11 * 3_600_000
    const { attempts, feed, start, create } = delivering(await newDatabase(), madeUpFeed(), clock)
    failed = () => attempts.failed
    const one = await receiver(() => 500)
    const { find } = await create(one.url)
    start()
    feed.add('1')
    await waitFor(async () => (await find()).pausedReason === 'failing')
    assert.ok(clock() - began > 5 * 24 * 3_600_000)
    assert.ok(one.received.length > 10)
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

  it('are repeated in order by a replay, and then continue', async () => {
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

  it('of a replay include events of processes whose clocks are ahead, also after the logs were restored', async () => {
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

  it('of a replay include the event that was in flight when it began', async () => {
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

  it('end with the latest version of a record if a replay has sent others that are read again after it', async () => {
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

  it('can be tested, and are listed newest first', async () => {
    const { administration, feed, start, create } = delivering(await newDatabase())
    const one = await receiver(({ event }) => (event.type === 'mint.webhook.test.v1' ? 200 : 503))
    const { id, secret } = await create(one.url, ['mint.firm.edited.v1', 'mint.contract.created.v1'])
    one.state.secret = secret
    start()
    const eventId = await administration.test(id, context())
    await waitFor(() => one.received.length === 1)
    const { time, ...event } = one.received[0]?.event ?? {}
    assert.ok(Math.abs(Date.parse(time) - Date.now()) < 5_000)
    const type = 'mint.webhook.test.v1'
    const rest = { specversion: '1.0', datacontenttype: 'application/json', source: 'mint/webhooks', data: {} }
    assert.deepEqual(event, { ...rest, id: eventId, type, subject: id })
    feed.add('7')
    const deliveries = await waitFor(async () => {
      const found = await administration.deliveries(id)
      return found.length === 2 ? found : undefined
    })
    const shown = deliveries.map(({ at, milliseconds: _, nextAttemptAt, ...delivery }) => ({
      ...delivery,
      pause: nextAttemptAt && Math.round((nextAttemptAt - at) / 5_000),
    }))
    const failed = {
      eventId: 'mint/contracts/1',
      type: 'mint.contract.created.v1',
      subject: '7',
      attempt: 1,
      status: 503,
    }
    assert.deepEqual(shown, [
      { ...failed, reason: 'The receiver answered 503.', pause: 1 },
      { eventId, type, subject: id, attempt: 1, status: 200, reason: null, pause: null },
    ])
    assert.equal(one.state.unverified, 0)
  })

  it('begin in turns, so that those of many webhooks that fail at once don’t block the process', async () => {
    const { attempts, feed, start, create } = delivering(await newDatabase())
    for (let webhook = 0; webhook < 5; webhook++) await create(`https://10.0.0.1/${webhook}`)
    for (let event = 0; event < 100; event++) feed.add(String(event))
    let [most, before] = [0, 0]
    const watch = (): unknown => {
      most = Math.max(most, attempts.failed - before)
      before = attempts.failed
      return before < 500 && setImmediate(watch)
    }
    watch()
    start()
    await waitFor(() => before === 500)
    assert.ok(most <= 2, `${most} attempts in one turn of the event loop`)
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

  it('are signed with both secrets during the grace period of a rotation', async () => {
    let later = 0
    const clock = () => Date.now() + later
    const { administration, feed, start, create } = delivering(await newDatabase(), madeUpFeed(), clock)
    const one = await receiver()
    const { id, secret } = await create(one.url)
    one.state.secret = secret
    start()
    const rotated = await administration.rotate(id, { graceSeconds: 60 }, context())
    const signatures = () => one.received.at(-1)?.headers['webhook-signature']?.split(' ').length
    const next = async (subject: string) => {
      const { length } = one.received
      feed.add(subject)
      await waitFor(() => one.received.length > length)
      return signatures()
    }
    // Wait until the delivering process knows the new secret.
    await waitFor(async () => (await next('1')) === 2)
    one.state.secret = rotated.secret
    assert.equal(await next('2'), 2)
    later = 60_000
    assert.equal(await next('3'), 1)
    assert.equal(one.state.unverified, 0)
  })

  it('end with the webhook, and leave nothing behind', async () => {
    const database = await newDatabase()
    const { administration, feed, start, create } = delivering(database)
    const one = await receiver(() => 500)
    const { id } = await create(one.url)
    start()
    feed.add('1')
    await waitFor(async () => (await administration.deliveries(id)).length === 1)
    await administration.remove(id, context())
    await waitFor(async () => (await database.documents(DELIVERIES).list('')).size === 0)
    await assert.rejects(administration.find(id), { code: 'not_found' })
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
    await waitFor(() => isInterrupted, { timeout: 15_000 })
    await running.stop()
    const { length } = one.received
    delivering(database, feed, () => Date.now() + PAST_FIRST_DELAY).start()
    await waitFor(() => one.received.length > length, { timeout: 15_000 })
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

  it('of a replay that is interrupted while being stored lose no blocked event', async () => {
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

  it('continue from what an earlier version stored, without what it had delivered beyond its position', async () => {
    const database = await newDatabase()
    const { feed, start, create } = delivering(database)
    const one = await receiver()
    const { id } = await create(one.url)
    for (const subject of ['1', '2', '3']) feed.add(subject)
    const live = { after: '0', settled: ['mint/contracts/2'] }
    const nothing = { replay: null, failingSince: null, lastDeliveredAt: null, lastFailure: null }
    const stored: Progress = { handled: 0, live, ...nothing, waiting: 2 }
    const documents = database.documents(DELIVERIES)
    await documents.write([[progressKey(id), JSON.stringify(stored)]])
    start()
    await waitFor(() => one.received.length === 2)
    feed.add('2')
    await waitFor(() => one.received.length === 3)
    assert.deepEqual(
      one.received.map(({ event }) => `${event.subject}/${event.recordversion}`),
      ['1/1', '3/1', '2/2'],
    )
    await waitFor(async () => JSON.parse((await documents.read(progressKey(id))) ?? '').live.settled.length === 0)
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
