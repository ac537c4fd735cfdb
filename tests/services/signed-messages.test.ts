import assert from 'node:assert/strict'
import { createBusinessesKeys, UNKNOWN_KEY } from '../../services/contracts/client/businesses-keys.ts'
import { createContractsApp } from '../../services/contracts/service.ts'
import { CodedError } from '../../shared/calls/errors.ts'
import type { TopicMessage } from '../../shared/event-sourcing/ports/topic.ts'
import { newKeyPair, signerWith } from '../../shared/events/signature.ts'
import { createSigningKeys } from '../../shared/events/signing-keys.ts'
import { atEnd } from '../support/cleanup.ts'
import { quietLogger } from '../support/quiet-logger.ts'
import { aBusiness, present } from '../support/requests.ts'
import { openServices, publishedBy } from '../support/services.ts'
import { waitFor } from '../support/wait-for.ts'

const ALL = { search: '', limit: 0, offset: 0 }

/** Both services; calls from the contracts service to the other one fail while `state.isAway`. */
async function open() {
  const services = await openServices()
  const state = { isAway: false, asked: 0 }
  const answered = <Answer>(answer: () => Promise<Answer>): Promise<Answer> => {
    state.asked += 1
    return state.isAway ? Promise.reject(new CodedError('unavailable', 'away')) : answer()
  }
  const { businesses, businessesRelay, contractsData } = services
  /** A process of the contracts service. */
  const start = () =>
    createContractsApp({
      database: contractsData,
      businesses: {
        getBusiness: (...given) => answered(() => businesses.getBusiness(...given)),
        getBusinessByClientId: (...given) => answered(() => businesses.getBusinessByClientId(...given)),
      },
      businessesRelay: { getSigningKeys: (request) => answered(() => businessesRelay.getSigningKeys(request)) },
      clock: Date.now,
      requireKnownClient: false,
      logger: quietLogger(),
    })
  const create = async (operatedAs: string) =>
    present((await businesses.createBusiness(aBusiness({ operatedAs }))).business)
  const { deadLetters } = contractsData
  return {
    ...services,
    keys: createSigningKeys(services.businessesData),
    state,
    start,
    create,
    letters: async () => (await deadLetters.list(100)).map(({ reason }) => reason),
  }
}

type App = ReturnType<typeof createContractsApp>

const names = async ({ clients }: App): Promise<readonly string[]> =>
  (await clients.listClients(ALL)).clients.map(({ displayName }) => displayName).toSorted()

describe('Clients, built from signed messages', () => {
  it('are built from the topic alone, even by a process that starts while the businesses service is down', async () => {
    const mint = await open()
    await mint.create('One')
    const first = await publishedBy(mint)
    const app = mint.start()
    await app.handleBusinessEvents(first)
    assert.equal(mint.state.asked, 1, 'the keys')
    const { id } = await mint.create('Two')
    await mint.businesses.editBusiness({ id, operatedAs: 'Second' })
    const messages = await publishedBy(mint)
    mint.state.isAway = true
    const restarted = mint.start()
    await restarted.handleBusinessEvents(messages)
    assert.equal(mint.state.asked, 1)
    assert.deepEqual(await names(restarted), ['One', 'Second'])
    assert.deepEqual(await mint.letters(), [])
  })

  it('wait for the keys if none was ever known, as nothing can be verified', async () => {
    const mint = await open()
    await mint.create('One')
    const messages = await publishedBy(mint)
    mint.state.isAway = true
    await assert.rejects(mint.start().handleBusinessEvents(messages), { code: 'unavailable' })
    assert.deepEqual(await mint.letters(), [])
    mint.state.isAway = false
    const app = mint.start()
    await app.handleBusinessEvents(messages)
    assert.deepEqual(await names(app), ['One'])
  })

  it('follow a key rotation immediately, with messages signed by both keys', async () => {
    const mint = await open()
    const app = mint.start()
    await mint.create('One')
    const former = await publishedBy(mint)
    await mint.keys.rotate({ revoke: false })
    await mint.create('Two')
    const later = (await publishedBy(mint)).slice(1)
    await app.handleBusinessEvents([...later, ...former])
    assert.deepEqual(await names(app), ['One', 'Two'])
    assert.deepEqual(await mint.letters(), [])
  })

  it('follow a key rotation even just after the keys were fetched', async () => {
    const mint = await open()
    const app = mint.start()
    const watching = app.watchKeys(10)
    atEnd(watching.stop)
    await mint.create('One')
    await app.handleBusinessEvents(await publishedBy(mint))
    await waitFor(() => mint.state.asked > 1)
    await mint.keys.rotate({ revoke: false })
    await mint.create('Two')
    await app.handleBusinessEvents(await publishedBy(mint))
    assert.deepEqual(await names(app), ['One', 'Two'])
    assert.deepEqual(await mint.letters(), [])
  })

  it('are not built from messages signed by a revoked key, but from the same ones signed again', async () => {
    const mint = await open()
    await mint.create('One')
    const revoked = await publishedBy(mint)
    await mint.keys.rotate({ revoke: true })
    const app = mint.start()
    await app.handleBusinessEvents(revoked)
    assert.deepEqual(await names(app), [])
    assert.equal((await mint.letters()).length, 1)
    await app.handleBusinessEvents(await publishedBy(mint))
    assert.deepEqual(await names(app), ['One'])
  })

  it('miss nothing signed by a key that becomes known later, and are not blocked by it', async () => {
    const mint = await open()
    const app = mint.start()
    await mint.create('One')
    const known = await publishedBy(mint)
    await app.handleBusinessEvents(known)
    mint.state.isAway = true
    await mint.keys.rotate({ revoke: false })
    const { id } = await mint.create('Two')
    await mint.businesses.editBusiness({ id, operatedAs: 'Second' })
    const unknown = (await publishedBy(mint)).slice(1)
    const forged = await signerWith(newKeyPair())(present(known[0]))
    await app.handleBusinessEvents([...unknown, forged, ...known])
    assert.deepEqual(await names(app), ['One'])
    assert.deepEqual(
      (await mint.letters()).map((reason) => reason.startsWith(UNKNOWN_KEY)),
      [true, true, true],
    )
    const watching = app.watchKeys(10)
    atEnd(() => watching.stop())
    mint.state.isAway = false
    await waitFor(async () => (await mint.letters()).length === 1, { what: 'the letters of the key' })
    assert.deepEqual(await names(app), ['One', 'Second'])
  })

  it('miss nothing set aside by a process that ended before it fetched the key', async () => {
    const mint = await open()
    await mint.create('One')
    await mint.start().handleBusinessEvents(await publishedBy(mint))
    await mint.keys.rotate({ revoke: false })
    await mint.create('Two')
    mint.state.isAway = true
    await mint.start().handleBusinessEvents((await publishedBy(mint)).slice(1))
    assert.equal((await mint.letters()).length, 1)
    mint.state.isAway = false
    const other = mint.start()
    await other.handleBusinessEvents([(await publishedBy(mint)).at(-1) as TopicMessage])
    const app = mint.start()
    const watching = app.watchKeys(10)
    atEnd(() => watching.stop())
    await waitFor(async () => (await mint.letters()).length === 0, { what: 'the letter of the key' })
    assert.deepEqual(await names(app), ['One', 'Two'])
  })

  it('cause one request for keys in several seconds, however many keys are made up', async () => {
    const mint = await open()
    const app = mint.start()
    await mint.create('One')
    const [real] = await publishedBy(mint)
    await app.handleBusinessEvents([present(real)])
    const { asked } = mint.state
    const forged = await Promise.all(Array.from({ length: 50 }, () => signerWith(newKeyPair())(present(real))))
    for (const message of forged) await app.handleBusinessEvents([message])
    assert.ok(mint.state.asked <= asked + 1, `${mint.state.asked - asked} questions`)
    assert.equal((await mint.letters()).length, 50)
  })

  it('are verified with keys that are read once, however many messages arrive on start', async () => {
    const mint = await open()
    await mint.create('One')
    const [real] = await publishedBy(mint)
    const { contractsData, businessesRelay: relay } = mint
    let reads = 0
    const documents = (kind: string) => {
      const stored = contractsData.documents(kind)
      return { ...stored, read: (key: string) => stored.read(key).finally(() => reads++) }
    }
    const options = { database: { ...contractsData, documents }, relay, logger: quietLogger() }
    await createBusinessesKeys(options).refusalOf(present(real))
    reads = 0
    const started = createBusinessesKeys(options)
    const refusals = await Promise.all(Array.from({ length: 100 }, () => started.refusalOf(present(real))))
    assert.deepEqual(new Set(refusals), new Set([undefined]))
    assert.equal(reads, 1)
  })

  it('cause no read of messages set aside until another key is known, however many keys are made up', async () => {
    const mint = await open()
    await mint.create('One')
    const [real] = await publishedBy(mint)
    let [asked, read] = [0, 0]
    const { contractsData, businessesRelay, handleBusinessEvents } = mint
    const relay = { getSigningKeys: () => businessesRelay.getSigningKeys({}).finally(() => asked++) }
    const { deadLetters } = contractsData
    const list: typeof deadLetters.list = (...given) => deadLetters.list(...given).finally(() => read++)
    const database = { ...contractsData, deadLetters: { ...deadLetters, list } }
    const keys = createBusinessesKeys({ database, relay, logger: quietLogger() })
    const watching = keys.watch(handleBusinessEvents, 10)
    atEnd(() => watching.stop())
    await waitFor(() => read === 1)
    for (let flood = 1; flood <= 3; flood++) {
      for (let made = 0; made < 10_000; made++) {
        const signature = `${`${made}`.padStart(43, 'x')}:`
        keys.noteSetAside({ ...present(real), headers: { ...present(real).headers, 'mint-signature': signature } })
      }
      const before = asked
      // By then, the first of these requests has been fully handled.
      await waitFor(() => asked >= before + 2)
    }
    assert.equal(read, 1)
    await mint.keys.rotate({ revoke: false })
    await waitFor(() => read === 2)
  })

  it('need no confirmation from the store for replayed messages that they already have', async () => {
    let confirmed = 0
    const services = await openServices({
      between: (database) => ({
        ...database,
        events: {
          ...database.events,
          confirmedVersions: async (streams) => {
            confirmed += streams.length
            return await database.events.confirmedVersions(streams)
          },
        },
      }),
    })
    for (let count = 0; count < 20; count++) await services.businesses.createBusiness(aBusiness())
    const messages = await publishedBy(services)
    await services.handleBusinessEvents(messages)
    const head = await services.contractsData.events.head()
    for (const message of messages) await services.handleBusinessEvents([message])
    assert.equal(confirmed, 1)
    assert.equal(await services.contractsData.events.head(), head)
  })

  it('don’t take a future version that a restored log does not have, which is set aside', async () => {
    const mint = await open()
    const app = mint.start()
    const { id, clientId } = await mint.create('One')
    const [first] = await publishedBy(mint)
    const sign = await mint.keys.signer()
    const value = JSON.parse(present(first).value)
    const future = await sign({ ...present(first), value: JSON.stringify({ ...value, version: 5 }) })
    await app.handleBusinessEvents([present(first), future])
    assert.equal((await app.clients.getClient({ clientId })).client?.version, 1)
    assert.deepEqual(await mint.letters(), [`The businesses service no longer has version 5 of business ${id}.`])
  })
})
