import assert from 'node:assert/strict'
import { published } from '../../services/businesses/published.ts'
import { BEGINNING, type Position } from '../../shared/event-sourcing/event.ts'
import type { LeasedWork } from '../../shared/event-sourcing/leased-work.ts'
import type { LogRange } from '../../shared/event-sourcing/ports/event-store.ts'
import type { Lease } from '../../shared/event-sourcing/ports/leased-checkpoints.ts'
import { MessagesLost, type TopicMessage, type TopicPublisher } from '../../shared/event-sourcing/ports/topic.ts'
import { startRelay } from '../../shared/event-sourcing/relay.ts'
import { createEnveloper } from '../../shared/events/enveloper.ts'
import { signingKeyOf, verifierWith } from '../../shared/events/signature.ts'
import { createSigningKeys } from '../../shared/events/signing-keys.ts'
import { toMessage } from '../../shared/events/topics.ts'
import { BUSINESSES_TOPIC, relayOf } from '../../shared/runtime/settings/topic-names.ts'
import { assertNone } from '../support/assert-none.ts'
import { atEnd } from '../support/cleanup.ts'
import { namesNobody } from '../support/envelopes.ts'
import { quietLogger } from '../support/quiet-logger.ts'
import { aBusiness, aKeyedCall, present } from '../support/requests.ts'
import { openServices } from '../support/services.ts'
import { waitFor } from '../support/wait-for.ts'

const ALL = { search: '', limit: 0, offset: 0 }

describe('The relay of the businesses log', () => {
  let services: Awaited<ReturnType<typeof openServices>>

  beforeEach(async () => {
    services = await openServices()
  })

  function relay(publisher: TopicPublisher, options: Partial<Parameters<typeof startRelay>[0]> = {}): LeasedWork {
    const started = startRelay({
      database: services.businessesData,
      publishers: new Map([[BUSINESSES_TOPIC, publisher]]),
      published,
      envelopesOf: createEnveloper({ database: services.businessesData, published, nameOf: namesNobody }),
      holder: 'test',
      logger: quietLogger(),
      pollMilliseconds: 50,
      leaseMilliseconds: 3_000,
      ...options,
    } as Parameters<typeof startRelay>[0])
    atEnd(started.stop)
    return started
  }

  /** The database, with what its leases' acquisition gives changed. */
  function withAcquire(change: (acquired: Lease | undefined) => Promise<Lease | undefined>) {
    const { checkpoints } = services.businessesData
    const acquire: typeof checkpoints.acquire = async (...lease) => await change(await checkpoints.acquire(...lease))
    return { ...services.businessesData, checkpoints: { ...checkpoints, acquire } }
  }

  const create = async (legalName: string) =>
    present((await services.businesses.createBusiness(aBusiness({ legalName }))).business)

  const caughtUp = () =>
    waitFor(
      async () => {
        const { checkpoints, events } = services.businessesData
        return (await checkpoints.read(relayOf('businesses'))) === (await events.head())
      },
      { what: 'the checkpoint at the head of the log' },
    )

  it('turns every business into a Client, including those created before it started', async () => {
    await create('before')
    relay({ publish: services.handleBusinessEvents })
    const { id } = await create('after')
    await services.businesses.editBusiness({ id, operatedAs: 'renamed' })
    await caughtUp()
    const { clients } = await services.clients.listClients(ALL)
    assert.deepEqual(
      clients.map(({ displayName, version }) => [displayName, version]),
      [
        ['renamed', 2],
        ['before', 1],
      ],
    )
  })

  it('publishes each event in log order as a CloudEvent, signed by the service', async () => {
    const { id } = await create('Acme Inc.')
    await services.businesses.editBusiness({ id, taxId: 'T' })
    const { publisher, published: messages } = collecting()
    relay(publisher, { batchSize: 1 })
    await caughtUp()
    const { keys } = await services.businessesRelay.getSigningKeys({})
    const isSigned = verifierWith(present(keys[0]))
    assert.deepEqual(await Promise.all(messages.map(isSigned)), [true, true])
    const envelopesOf = createEnveloper({ database: services.businessesData, published, nameOf: namesNobody })
    const envelopes = await envelopesOf(await services.businessesData.events.readAll(BEGINNING, 10))
    assert.deepEqual(
      messages.map(({ headers: { 'mint-signature': _, ...headers }, ...rest }) => ({ ...rest, headers })),
      envelopes.map((envelope) => toMessage(present(envelope)).message),
    )
  })

  it('publishes again after a crash between publishing and moving the checkpoint', async () => {
    const { id } = await create('Acme')
    await services.businesses.editBusiness({ id, operatedAs: 'Renamed' })
    const delivered: TopicMessage[] = []
    const dying = relay({
      async publish(messages) {
        await services.handleBusinessEvents(messages)
        delivered.push(...messages)
        throw new Error('died before the checkpoint moved')
      },
    })
    await waitFor(() => delivered.length > 0, { what: 'the first publication' })
    await dying.stop()
    // What a killed process leaves behind: an unreleased lease.
    await services.businessesData.checkpoints.acquire(relayOf('businesses'), 'test', 60_000)
    const expected = await services.clients.listClients(ALL)
    const before = delivered.splice(0)

    relay({
      async publish(messages) {
        delivered.push(...messages)
        await services.handleBusinessEvents(messages)
      },
    })
    await caughtUp()
    assert.deepEqual(delivered, before.slice(0, 2))
    assert.deepEqual(await services.clients.listClients(ALL), expected)
    assert.equal(expected.clients[0]?.displayName, 'Renamed')
  })

  it('retries failed messages indefinitely, in order, and then continues', async () => {
    const { publisher, published, failures } = collecting({ failures: 3 })
    relay(publisher, { batchSize: 1 })
    await create('one')
    await create('two')
    await caughtUp()
    assert.equal(failures.count, 3)
    assert.deepEqual(ids(published), idsAt(1, 2))
  })

  it('publishes everything again if its checkpoint is past the log, as in a copy of both from different moments', async () => {
    await create('one')
    const { publisher, published } = collecting()
    const { checkpoints } = services.businessesData
    await (await checkpoints.acquire(relayOf('businesses'), 'test', 60_000))?.advance(3 as Position)
    relay(publisher)
    await create('two')
    await caughtUp()
    assert.deepEqual(ids(published), idsAt(1, 2))
  })

  it('publishes everything again when its checkpoint is reset while it runs, however long its lease', async () => {
    const { id } = await create('one')
    await services.businesses.editBusiness({ id, phone: '1' })
    const { publisher, published } = collecting()
    relay(publisher, { leaseMilliseconds: 24 * 60 * 60 * 1000 })
    await waitFor(() => published.length === 2, { what: 'the first publication' })
    await caughtUp()
    await services.businessesData.checkpoints.reset(relayOf('businesses'))
    await waitFor(() => published.length === 4, { what: 'the second publication' })
    assert.deepEqual(published.slice(2), published.slice(0, 2))
  })

  it('publishes nothing more under a lease that it has lost', async () => {
    for (const name of ['one', 'two', 'three']) await create(name)
    const { publisher, published } = collecting()
    async function publish(messages: readonly TopicMessage[]): Promise<void> {
      await publisher.publish(messages)
      if (published.length === 1) await services.businessesData.checkpoints.reset(relayOf('businesses'))
    }
    relay({ publish }, { batchSize: 1 })
    await caughtUp()
    assert.deepEqual(ids(published), idsAt(1, 1, 2, 3))
  })

  it('publishes nothing under a lease that ended before it learned that it had it', async () => {
    const [first, second] = [collecting(), collecting()]
    let asked = 0
    const database = withAcquire(async (acquired) => {
      if (asked++ === 0) await waitFor(() => second.published.length > 0, { what: 'the other relay' })
      return acquired
    })
    await create('one')
    relay(first.publisher, { database, holder: 'first', leaseMilliseconds: 150 })
    await waitFor(() => asked > 0)
    relay(second.publisher, { holder: 'second', leaseMilliseconds: 60_000 })
    await waitFor(() => asked > 1)
    assert.deepEqual([ids(first.published), ids(second.published)], [[], idsAt(1)])
  })

  it('asks for a lease that it could not renew again, even while there is nothing to publish', async () => {
    let asked = 0
    const database = withAcquire(async (acquired) => {
      asked++
      return acquired && { ...acquired, renew: async () => asked > 1 }
    })
    relay(collecting().publisher, { database, leaseMilliseconds: 150 })
    await waitFor(() => asked > 1)
  })

  it('publishes the events of a batch in log order, however long it takes to sign each', async () => {
    const names = Array.from({ length: 100 }, (_, index) => 'x'.repeat(index % 2 === 0 ? 200 : 1))
    await Promise.all(names.map(create))
    const { publisher, published } = collecting()
    relay(publisher)
    await caughtUp()
    assert.deepEqual(ids(published), idsAt(...names.map((_, index) => index + 1)))
  })

  it('signs with a new key from the next message on, and everything again after a reset', async () => {
    const keys = createSigningKeys(services.businessesData)
    const { publisher, published } = collecting()
    const first = (await keys.publicKeys()).map(({ kid }) => kid)
    relay(publisher)
    await create('one')
    await caughtUp()
    const { current: second } = await keys.rotate({ revoke: false })
    await create('two')
    await caughtUp()
    assert.deepEqual(published.map(signingKeyOf), [...first, second])
    const { current: third } = await keys.rotate({ revoke: true })
    await services.businessesData.checkpoints.reset(relayOf('businesses'))
    await waitFor(() => published.length === 4, { what: 'the second publication' })
    assert.deepEqual(published.slice(2).map(signingKeyOf), [third, third])
  })

  it('publishes everything again if the topic has lost messages, and counts those it should contain', async () => {
    for (const legalName of ['one', 'two']) await create(legalName)
    const { publisher, published } = collecting()
    const asked: number[] = []
    const forgetful = {
      ...publisher,
      async confirm(count: number) {
        asked.push(count)
        if (asked.length === 3) throw new MessagesLost('deleted')
      },
    }
    relay(forgetful, { confirmMilliseconds: 1 })
    await waitFor(() => published.length === 4, { what: 'the second publication' })
    await caughtUp()
    assert.deepEqual(published.slice(2), published.slice(0, 2))
    assert.deepEqual(new Set(asked), new Set([2]))
  })

  it('skips keyed requests that changed nothing, and never expects messages for them', async () => {
    const { id } = await create('one')
    const change = async (key: string) => {
      const { business, replayed } = await services.businesses.editBusiness({ id }, aKeyedCall(key, 'nothing new'))
      assert.deepEqual([business?.version, replayed], [1, false])
    }
    await change('before its start')
    assert.equal(await services.businessesData.events.head(), 2)
    const { publisher, published } = collecting()
    const asked: (readonly [count: number, published: number])[] = []
    const confirming = { ...publisher, confirm: async (count: number) => void asked.push([count, published.length]) }
    const first = relay(confirming, { confirmMilliseconds: 1 })
    await caughtUp()
    await change('while it runs')
    await create('two')
    await caughtUp()
    await waitFor(() => asked.some(([count]) => count === 2), { what: 'a question about both' })
    await first.stop()
    relay(confirming, { confirmMilliseconds: 1 })
    await waitFor(() => asked.length > 0 && asked.at(-1)?.[0] === 2, { what: 'a question after a restart' })
    assertNone(asked.filter(([count, of]) => count > of))
    assert.deepEqual(ids(published), idsAt(1, 4))
  })

  it('counts only events after those that were counted before, unless its checkpoint is behind them', async () => {
    for (const legalName of ['one', 'two', 'three']) await create(legalName)
    const { publisher } = collecting()
    const ranges: LogRange[] = []
    const { events, checkpoints } = services.businessesData
    const counting: typeof events.countIn = (categories, range) => {
      ranges.push(range)
      return events.countIn(categories, range)
    }
    const database = { ...services.businessesData, events: { ...events, countIn: counting } }
    async function run(): Promise<void> {
      const asked: number[] = []
      const confirming = { ...publisher, confirm: async (count: number) => void asked.push(count) }
      const running = relay(confirming, { database, confirmMilliseconds: 1 })
      await caughtUp()
      await waitFor(() => asked.at(-1) === 3, { what: 'a question about all' })
      await running.stop()
    }
    await run()
    await run()
    await checkpoints.reset(relayOf('businesses'))
    await run()
    assert.deepEqual(ranges, [
      { after: 0, upTo: 0 },
      { after: 3, upTo: 3 },
      { after: 0, upTo: 0 },
    ])
  })

  it('runs in one of two processes, and in the other when the first stops', async () => {
    const first = collecting()
    const second = collecting()
    const holder = relay(first.publisher, { holder: 'first' })
    await create('one')
    await caughtUp()
    relay(second.publisher, { holder: 'second' })
    await create('two')
    await caughtUp()
    assert.deepEqual([ids(first.published).length, ids(second.published).length], [2, 0])
    await holder.stop()
    await create('three')
    await waitFor(() => second.published.length > 0, { what: 'the second relay' })
    assert.deepEqual(ids(second.published), idsAt(3))
  })

  it('stops immediately, even while publishing fails', async () => {
    const { publisher, failures } = collecting({ failures: Number.POSITIVE_INFINITY })
    const running = relay(publisher)
    await create('one')
    await waitFor(() => failures.count > 4, { what: 'some failures' })
    await running.stop()
    const { count } = failures
    await create('two')
    assert.equal(failures.count, count)
  })
})

const ids = (messages: readonly TopicMessage[]) => messages.map(({ headers }) => headers.ce_id)
const idsAt = (...positions: readonly number[]) => positions.map((position) => `mint/businesses/${position}`)

/** Stands in for the broker: stores what it gets, and refuses as often as requested. */
function collecting({ failures = 0 } = {}) {
  const published: TopicMessage[] = []
  const refused = { count: 0 }
  const publisher: TopicPublisher = {
    async publish(messages) {
      if (refused.count < failures) {
        refused.count++
        throw new Error('refused')
      }
      published.push(...messages)
    },
  }
  return { publisher, published, failures: refused }
}
