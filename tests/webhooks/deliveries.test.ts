import assert from 'node:assert/strict'
import { bodyKey, DELIVERIES, heldKey } from '../../shared/webhooks/progress.ts'
import { sealingWith } from '../../shared/webhooks/secret.ts'
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

describeDeliveries('Deliveries to webhooks', (newDatabase) => {
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

  it('that fail since WEBHOOK_KEY has changed say so, and are sent at once when the secret is rotated', async () => {
    let [later, sealing] = [0, sealingWith('a key')]
    const clock = () => Date.now() + later
    const mint = delivering(await newDatabase(), madeUpFeed(), clock, () => sealing())
    const one = await receiver()
    const { id, find } = await mint.create(one.url)
    sealing = sealingWith('another key')
    mint.start()
    mint.feed.add('1')
    await waitFor(() => mint.attempts.failed === 1)
    // The retry after that is a minute later.
    later = PAST_FIRST_DELAY
    await waitFor(async () => mint.attempts.failed === 2 && (await find()).lastFailure !== null)
    assert.match((await find()).lastFailure?.reason ?? '', /^Its secret can’t be read with this WEBHOOK_KEY: rotate it/)
    const { secret } = await mint.administration.rotate(id, { graceSeconds: 60 }, context())
    one.state.secret = secret
    await waitFor(() => versionsOf(one, '1').length === 1)
    assert.equal(one.state.unverified, 0)
  })

  it('end with the webhook, and leave nothing behind, without reading the bodies', async () => {
    const listed: string[] = []
    const database = withDocuments(await newDatabase(), (documents) => ({
      ...documents,
      list(prefix) {
        listed.push(prefix)
        return documents.list(prefix)
      },
    }))
    const { administration, feed, start, create } = delivering(database)
    const one = await receiver(() => 500)
    const { id } = await create(one.url)
    start()
    feed.add('1')
    await waitFor(async () => (await administration.deliveries(id)).length === 1)
    await administration.remove(id, context())
    await waitFor(async () => (await database.documents(DELIVERIES).list('')).size === 0)
    await assert.rejects(administration.find(id), { code: 'not_found' })
    assert.ok(!listed.includes(bodyKey(id)))
  })
})
