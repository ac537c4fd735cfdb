import assert from 'node:assert/strict'
import { atEnd } from '../../support/cleanup.ts'
import { describeOn, type Engine, kafkaControl, mongoEngine } from '../../support/engines.ts'
import { startOwnBroker } from '../../support/own-broker.ts'
import type { Rest } from '../../support/rest.ts'
import { newSeparateMint } from '../../support/separate-processes.ts'
import { waitFor } from '../../support/wait-for.ts'

const BUSINESSES = 2_000
const CALLERS = 32
const AWAY_MILLISECONDS = 15_000
/** The longest page of a list. */
const PAGE = 100
const mongo = mongoEngine()
const engines: Engine = 'missing' in mongo ? mongo : kafkaControl()

describeOn(engines, 'Separate processes while the broker is down', (control) => {
  it('keep answering, and resume relaying within 5 s of its return, until every business is one Client', async () => {
    const broker = atEnd.remove(await startOwnBroker(control))
    const mint = await newSeparateMint(process.env.MONGO_URL ?? '', broker.address)
    const { call } = await mint.startAll()
    const clientsNow = async (): Promise<number> => (await call('GET', '/clients?limit=1')).body.total

    const created = await createBusinesses(call, BUSINESSES / 4)
    const creating = createBusinesses(call, BUSINESSES / 2)
    await waitFor(async () => (await clientsNow()) > 0, { timeout: 15_000, what: 'the first Clients' })
    await broker.kill()
    const returnAt = Date.now() + AWAY_MILLISECONDS
    created.push(...(await creating))
    const answer = await call('GET', `/clients/${created.at(-1)?.clientId}`)
    assert.equal(answer.status, 200, 'a Client that the topic could not deliver')
    const frozen = await clientsNow()
    assert.ok(frozen < created.length, 'the broker died in the middle')
    await waitFor(() => Date.now() >= returnAt, { timeout: AWAY_MILLISECONDS + 1_000, what: 'the time to return' })
    assert.equal((await call('POST', '/businesses', { legalName: '' })).body.code, 'validation_failed')
    await broker.start()
    await waitFor(async () => (await clientsNow()) > frozen, { what: 'the relay and the consumer to go on' })
    created.push(...(await createBusinesses(call, BUSINESSES / 4)))

    await waitFor(async () => (await clientsNow()) >= BUSINESSES, { timeout: 20_000, what: 'a Client for each' })
    assert.deepEqual(sorted(await allClients(call)), sorted(created))
  }).timeout(180_000)
})

interface BusinessAndClient {
  readonly businessId: string
  readonly clientId: string
}

/** Creates them from concurrent callers; asserts that every request is answered with 201. */
async function createBusinesses(call: Rest, count: number): Promise<BusinessAndClient[]> {
  const created: BusinessAndClient[] = []
  let left = count
  const caller = async (): Promise<void> => {
    while (left-- > 0) {
      const { status, body } = await call('POST', '/businesses', { legalName: 'École du Nord' })
      assert.equal(status, 201, JSON.stringify(body))
      created.push({ businessId: body.id, clientId: body.clientId })
    }
  }
  await Promise.all(Array.from({ length: CALLERS }, caller))
  return created
}

async function allClients(call: Rest): Promise<BusinessAndClient[]> {
  const clients: BusinessAndClient[] = []
  for (let offset = 0; ; offset += PAGE) {
    const { body } = await call('GET', `/clients?limit=${PAGE}&offset=${offset}`)
    if (body.clients.length === 0) return clients
    for (const { businessId, clientId } of body.clients) clients.push({ businessId, clientId })
  }
}

const sorted = (clients: readonly BusinessAndClient[]): BusinessAndClient[] =>
  clients.toSorted((a, b) => a.businessId.localeCompare(b.businessId))
