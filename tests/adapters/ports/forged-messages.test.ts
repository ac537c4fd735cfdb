import assert from 'node:assert/strict'
import { randomUUID } from 'node:crypto'
import type { KafkaTopic } from '../../../shared/adapters/kafka/topic.ts'
import type { CallContext } from '../../../shared/calls/call-context.ts'
import { CodedError } from '../../../shared/calls/errors.ts'
import { newUuid } from '../../../shared/calls/ids.ts'
import type { TopicHandler, TopicMessage, TopicPublisher } from '../../../shared/event-sourcing/ports/topic.ts'
import { newKeyPair, signerWith, signingKeyOf } from '../../../shared/events/signature.ts'
import { toContext } from '../../../shared/rpc/metadata.ts'
import { atEnd } from '../../support/cleanup.ts'
import { describeOn, type Engine, kafkaEngine } from '../../support/engines.ts'
import { withValue } from '../../support/forged-messages.ts'
import { deleteTopics } from '../../support/kafka-topics.ts'
import { aBusiness, present } from '../../support/requests.ts'
import { openServices, publishedBy, type ServicesOptions } from '../../support/services.ts'
import { waitFor } from '../../support/wait-for.ts'
import { newKafkaTopic } from './topic-fixtures.ts'

const ALL = { search: '', limit: 0, offset: 0 }
const REASON =
  /^(Changed after it was signed|Not signed by the businesses service|Signed with a key that the businesses service is not known to have|Not a valid business event|The value is not JSON)[:.]/
const EPOCH = '1970-01-01T00:00:00.000Z'

/** What an attacker can forge from the first message of a business and the clientId of another one. */
const attacks: Readonly<
  Record<string, (real: TopicMessage, otherClientId: string) => TopicMessage | Promise<TopicMessage>>
> = {
  'a version that no business ever reaches': (real) =>
    withValue(real, { operatedAs: 'Forged', version: Number.MAX_SAFE_INTEGER }),
  'the next version, before it exists': (real) => withValue(real, { operatedAs: 'Forged', version: 2 }),
  'another name under the id of the real event': (real) => withValue(real, { operatedAs: 'Forged' }),
  'the id of a future event': (real) => ({
    ...withValue(real, { operatedAs: 'Forged' }),
    headers: { ...real.headers, ce_id: 'mint/businesses/3' },
  }),
  'an unknown business': (real) => withValue(real, { id: newUuid(), clientId: newUuid() }),
  'an unknown business with the clientId of another one': (real) => withValue(real, { id: newUuid() }),
  'a business with the clientId of another one': (real, clientId) => withValue(real, { clientId }),
  'another creation time': (real) => withValue(real, { createdAt: EPOCH }),
  'another update time': (real) => withValue(real, { updatedAt: EPOCH }),
  'a time that does not exist': (real) => withValue(real, { createdAt: '2026-02-28T24:59:60Z' }),
  'an id with a space': (real) => withId(real, 'mint/businesses 2'),
  'an id of 129 characters': (real) => withId(real, 'i'.repeat(129)),
  'an id that is not ASCII': (real) => withId(real, 'bücher/💥'),
  'an id with a line break': (real) => withId(real, 'mint\r\nmint-actor: root'),
  'no id': (real) => withId(real, ''),
  'a key of 100 kB': (real) => ({ ...withValue(real, { operatedAs: 'Forged' }), key: 'k'.repeat(100_000) }),
  'a business id that is not a UUID': (real) => withValue(real, { id: '../1' }),
  'a clientId that is not a UUID': (real) => withValue(real, { clientId: 'x'.repeat(1_000) }),
  'a version beyond the safe integers': (real) => withValue(real, { version: 2 ** 63 }),
  'a version that is valid JSON but too large for a number': (real) => withText(real, '"version":1', '"version":1e999'),
  'a negative version': (real) => withValue(real, { version: -1 }),
  'a lone surrogate as its name': (real) => withText(real, '"Real"', '"\\ud800"'),
  'no signature': ({ headers, ...real }) => {
    const { 'mint-signature': _, ...unsigned } = headers
    return { ...real, headers: unsigned }
  },
  'a signature by a key of the attacker': (real) => signerWith(newKeyPair())(withValue(real, { operatedAs: 'Forged' })),
  'a signature by a key of the attacker under the id of the real one': (real) => {
    const kid = present(signingKeyOf(real))
    return signerWith({ ...newKeyPair(), kid })(withValue(real, { operatedAs: 'Forged' }))
  },
  'the message of another Mint': (real) => signerWith(newKeyPair())(real),
  'a value that is cut': (real) => ({ ...real, value: real.value.slice(0, -1) }),
  'a signature that is cut': (real) => {
    const signature = present(real.headers['mint-signature']).slice(0, -4)
    return { ...real, headers: { ...real.headers, 'mint-signature': signature } }
  },
  'deeply nested lists': (real) => ({ ...real, value: '['.repeat(100_000) }),
}

/** A call's context as it arrives over a call stream, which accepts fewer texts than an in-process call. */
const overTheWire = (context: CallContext | undefined) =>
  context && toContext((part) => context[part], context.deadline)

function withId(real: TopicMessage, ce_id: string): TopicMessage {
  const forged = withValue(real, { operatedAs: 'Forged' })
  return { ...forged, headers: { ...forged.headers, ce_id } }
}

function withText(real: TopicMessage, text: string, other: string): TopicMessage {
  const value = real.value.replace(text, other)
  assert.notEqual(value, real.value)
  return { ...real, value }
}

type Topic = Pick<KafkaTopic, 'consumer'> & { readonly publisher: TopicPublisher }

function onKafka(brokers: string): Topic {
  const name = `test.${randomUUID()}`
  atEnd(() => deleteTopics(brokers, name))
  return atEnd.close(newKafkaTopic(brokers, name))
}

/** As where the relay and the contracts service are in one process. */
function inProcess(): Topic {
  let handle: TopicHandler = () => Promise.reject(new Error('nobody consumes yet'))
  const consumer = {
    async run(handler: TopicHandler) {
      handle = handler
    },
    stop: async () => undefined,
  }
  return { publisher: { publish: (batch) => handle(batch) }, consumer }
}

const topics: readonly (readonly [name: string, engine: Engine, open: (url: string) => Topic])[] = [
  ['in process', { url: '' }, inProcess],
  ['Kafka', kafkaEngine(), onKafka],
]
for (const [name, engine, openTopic] of topics) {
  describeOn(engine, `Forged messages, ${name}`, (url) => {
    async function open(options: ServicesOptions = {}) {
      const overGrpc: ServicesOptions['ask'] = {
        getBusiness: (request, context) => services.businesses.getBusiness(request, overTheWire(context)),
        getBusinessByClientId: (request, context) =>
          services.businesses.getBusinessByClientId(request, overTheWire(context)),
      }
      const services: Awaited<ReturnType<typeof openServices>> = await openServices({ ask: overGrpc, ...options })
      const { publisher, consumer } = openTopic(url)
      await consumer.run(services.handleBusinessEvents)
      const { clientId: otherClientId } = present((await services.businesses.createBusiness(aBusiness())).business)
      const { id } = present((await services.businesses.createBusiness(aBusiness({ operatedAs: 'Real' }))).business)
      const [, real] = await publishedBy(services)
      return { ...services, publisher, id, otherClientId, real: present(real) }
    }

    const clientsOf = async ({ businesses }: Awaited<ReturnType<typeof open>>) =>
      (await businesses.listBusinesses(ALL)).businesses.map(({ id, clientId, operatedAs, ...business }) => {
        const { createdAt, updatedAt, version } = business
        return {
          clientId,
          clientType: 'business',
          businessId: id,
          displayName: operatedAs,
          createdAt,
          updatedAt,
          version,
        }
      })

    it('are set aside and the real ones win, whatever they claim', async () => {
      const mint = await open()
      const forged = await Promise.all(Object.values(attacks).map((forge) => forge(mint.real, mint.otherClientId)))
      await mint.publisher.publish(forged)
      await waitFor(async () => (await mint.contractsData.deadLetters.count()) === forged.length, {
        what: 'a letter of each',
      })
      assert.deepEqual(await mint.clients.listClients(ALL), { clients: [], total: 0 })
      await mint.businesses.editBusiness({ id: mint.id, operatedAs: 'Really' })
      const expected = await clientsOf(mint)
      await mint.publisher.publish(await publishedBy(mint))
      await mint.publisher.publish(forged)
      const clients = async () => (await mint.clients.listClients(ALL)).clients
      const reached = async () => (await clients()).some(({ displayName }) => displayName === 'Really')
      await waitFor(async () => (await reached()) && (await clients()).length === 2, { what: 'all' })
      assert.deepEqual(await clients(), expected)
      const letters = await mint.contractsData.deadLetters.list(100)
      assert.deepEqual(new Set(letters.map(({ message }) => message)), new Set(forged))
      for (const { reason } of letters) assert.match(reason, REASON)
    })

    it('are set aside while the businesses service is down, and the real ones become Clients', async () => {
      const down = () => Promise.reject(new CodedError('unavailable', 'away'))
      let isAway = false
      const mint = await open({
        ask: { getBusiness: down, getBusinessByClientId: down },
        askRelay: { getSigningKeys: () => (isAway ? down() : mint.businessesRelay.getSigningKeys({})) },
      })
      const reached = async () => (await mint.clients.listClients(ALL)).clients.map(({ displayName }) => displayName)
      await mint.publisher.publish([mint.real])
      await waitFor(async () => (await reached()).length === 1, { what: 'the first message' })
      await mint.businesses.editBusiness({ id: mint.id, operatedAs: 'Really' })
      isAway = true
      const forged = [withValue(mint.real, { operatedAs: 'Forged' }), await signerWith(newKeyPair())(mint.real)]
      await mint.publisher.publish([...forged, ...(await publishedBy(mint)).slice(1)])
      await waitFor(async () => (await reached()).join() === 'Really', { what: 'the second message' })
      assert.equal(await mint.contractsData.deadLetters.count(), forged.length)
    })
  })
}
