import assert from 'node:assert/strict'
import { setTimeout as pause } from 'node:timers/promises'
import { promisify } from 'node:util'
import {
  Client,
  credentials,
  Metadata,
  Server,
  ServerCredentials,
  type ServerDuplexStream,
  status,
} from '@grpc/grpc-js'
import { GetClientRequest, GetClientResponse } from '../../shared/gen/mint/contracts/v1/clients.ts'
import {
  CallStreamServiceService,
  type ExchangeRequest,
  type ExchangeResponse,
} from '../../shared/gen/mint/rpc/v1/call_stream.ts'
import { openCallStream } from '../../shared/rpc/call-stream/client-stream.ts'
import { atEnd } from '../support/cleanup.ts'
import { aClient, overGrpc } from '../support/clients-service.ts'
import { asProcess, testSecrets } from '../support/grpc-access.ts'
import { callMany, clientsAt, replica } from '../support/replicas.ts'
import { waitFor } from '../support/wait-for.ts'

const proof = Metadata.fromHttp2Headers(asProcess)
/** The other fields of a message with answers. */
const NO_ANNOUNCEMENT = { server: '', closing: false, appends: false, announcedEveryMilliseconds: 0 }
const NO_CONTEXT = { actor: '', requestId: '', commitId: '', requestHash: '', timeoutMilliseconds: 0 }

describe('Calls that share a stream', () => {
  it('are answered as soon as they are ready, whatever the others are waiting for', async () => {
    const held: (() => void)[] = []
    const remote = await overGrpc(atEnd, {
      getClient: async ({ clientId }) => {
        if (clientId === 'held') await new Promise<void>((resolve) => held.push(resolve))
        return { client: aClient({ clientId }) }
      },
    })
    const waiting = Array.from({ length: 50 }, () => remote.clients.getClient({ clientId: 'held' }))
    await waitFor(() => held.length === 50, { what: 'the calls that are held' })
    await callMany(remote.clients, 100)
    for (const release of held) release()
    const answers = await Promise.all(waiting)
    assert.deepEqual(new Set(answers.map(({ client }) => client?.clientId)), new Set(['held']))
  })

  it('can have long requests, and only those over the limit are refused', async () => {
    const seen: number[] = []
    const remote = await overGrpc(atEnd, {
      getClient: async ({ clientId }) => {
        seen.push(clientId.length)
        return { client: aClient() }
      },
    })
    const ask = (length: number) => remote.clients.getClient({ clientId: 'x'.repeat(length) })
    const [, , refused] = await Promise.allSettled([ask(10), ask(500_000), ask(2_000_000), ask(20)])
    assert.equal(refused.status, 'rejected')
    assert.deepEqual(
      seen.toSorted((a, b) => a - b),
      [10, 20, 500_000],
    )
  })

  it('fit into what a server accepts, however many are sent at once with the longest context', async () => {
    const server = await replica({})
    const clients = clientsAt([server.port])
    const context = { actor: 'a'.repeat(36), commitId: 'c'.repeat(64), requestHash: 'h'.repeat(64) }
    const override = { overrideReason: '😀'.repeat(500), requestId: 'r'.repeat(128) }
    await clients.getClient({ clientId: 'first' })
    const calls = Array.from({ length: 600 }, () => clients.getClient({ clientId: '1' }, { ...context, ...override }))
    await Promise.all(calls)
    assert.equal(server.asked.length, 601)
  })

  it('do not wait for a stream that its server ends without a greeting', async () => {
    const port = await listening((stream) => stream.end())
    const client = atEnd.close(new Client(`127.0.0.1:${port}`, credentials.createInsecure()))
    const options = { secrets: testSecrets, onUnusable: () => undefined }
    await assert.rejects(openCallStream(client, options), { code: status.UNAVAILABLE })
  })

  it('are still answered on a stream that accepts no more calls, however long that takes', async () => {
    let release = (): void => undefined
    const server = await replica({ answer: () => new Promise<void>((resolve) => (release = resolve)) })
    const clients = clientsAt([server.port], { renewMilliseconds: 10 })
    const answer = clients.getClient({ clientId: 'slow' })
    await waitFor(() => server.asked.length > 0, { what: 'the call' })
    // Long enough even for a stream that sends nothing more: more announcements than a silent server may omit.
    const client = atEnd.close(new Client(`127.0.0.1:${server.port}`, credentials.createInsecure()))
    const { path, requestSerialize, responseDeserialize } = CallStreamServiceService.exchange
    const idle = client.makeBidiStreamRequest(path, requestSerialize, responseDeserialize, proof)
    let announcements = 0
    idle.on('data', () => announcements++).on('error', () => undefined)
    await waitFor(() => announcements > 8, { what: 'announcements' })
    release()
    await answer
    assert.equal(server.asked.length, 1)
  }).timeout(10_000)

  it('are neither lost nor sent twice while streams are renewed', async () => {
    const server = await replica({ answer: () => pause(Math.random() * 20) })
    const clients = clientsAt([server.port], { renewMilliseconds: 10 })
    await callMany(clients, 3_000, 50)
    assert.equal(server.asked.length, 3_000)
    assert.equal(new Set(server.asked).size, 3_000)
  })
})

describe('A server that answers many calls at once', () => {
  it('answers each in time, however long callers are busy with earlier answers', async () => {
    const calls = 60
    const port = await serving((stream) => answerTogether(stream, calls))
    const clients = clientsAt([port], { renewMilliseconds: 60_000 })
    const context = { actor: 'a', requestId: 'r', deadline: Date.now() + 2_500 }
    const call = async () => {
      const { client } = await clients.getClient({ clientId: 'x' }, context)
      // The first caller to get its answer blocks until every deadline has passed.
      while (Date.now() <= context.deadline);
      return client?.clientId
    }
    const answers = await Promise.all(Array.from({ length: calls }, call))
    assert.deepEqual(new Set(answers), new Set(['last']))
  })
})

describe('A server that ends a stream', () => {
  it('still delivers its earlier answers, however many there are', async () => {
    const calls = 100
    const port = await serving((stream) => answerTogether(stream, calls, () => stream.end()))
    const clients = clientsAt([port], { renewMilliseconds: 60_000 })
    const answers = await Promise.all(Array.from({ length: calls }, () => clients.getClient({ clientId: 'x' })))
    assert.deepEqual(new Set(answers.map(({ client }) => client?.clientId)), new Set(['last']))
  })
})

type Exchange = ServerDuplexStream<ExchangeRequest, ExchangeResponse>

/** A server that greets on each stream, and leaves the rest to `handle`; returns its port. */
function serving(handle: (stream: Exchange) => void): Promise<number> {
  return listening((stream) => {
    stream.write({ ...NO_ANNOUNCEMENT, server: 'one', announcedEveryMilliseconds: 60_000, answers: [] })
    handle(stream)
  })
}

/** A server that leaves each stream to `exchange`; returns its port. */
async function listening(exchange: (stream: Exchange) => void): Promise<number> {
  const server = new Server()
  atEnd(() => server.forceShutdown())
  server.addService(CallStreamServiceService, {
    exchange: (stream: Exchange) => exchange(stream.on('error', () => undefined)),
  })
  return await promisify(server.bindAsync.bind(server))('127.0.0.1:0', ServerCredentials.createInsecure())
}

/** Answers all calls of a stream together, once `calls` of them have arrived. */
function answerTogether(stream: Exchange, calls: number, onAnswered: () => void = () => undefined): void {
  const ids: number[] = []
  stream.on('data', (request: ExchangeRequest) => {
    ids.push(...request.calls.map(({ id }) => id))
    if (ids.length < calls) return
    stream.write({ ...NO_ANNOUNCEMENT, answers: ids.map(answerTo) })
    onAnswered()
  })
}

function answerTo(id: number) {
  const payload = Buffer.from(GetClientResponse.encode({ client: aClient({ clientId: 'last' }) }).finish())
  return { id, payload, status: Buffer.alloc(0) }
}

describe('A caller that can’t keep up', () => {
  it('is not read from while many answers are pending, and gets them all eventually', async () => {
    let asked = 0
    const remote = await overGrpc(atEnd, {
      getClient: async ({ clientId }) => {
        if (clientId === 'unread') asked++
        return { client: aClient({ clientId, displayName: 'x'.repeat(1_000) }) }
      },
    })
    const client = atEnd.close(new Client(remote.address, credentials.createInsecure()))
    const { path, requestSerialize, responseDeserialize } = CallStreamServiceService.exchange
    const stream = client.makeBidiStreamRequest(path, requestSerialize, responseDeserialize, proof)
    const payload = Buffer.from(GetClientRequest.encode({ clientId: 'unread' }).finish())
    const call = {
      method: 'mint.contracts.v1.ClientsService/GetClient',
      payload,
      isNewCommit: false,
      ...NO_CONTEXT,
    }
    const calls = Array.from({ length: 30_000 }, (_, index) => ({ ...call, id: index + 1 }))
    for (let index = 0; index < calls.length; index += 500) stream.write({ calls: calls.slice(index, index + 500) })
    stream.end()
    await waitFor(() => asked >= 5_000, { what: 'the calls that are taken' })
    await callMany(remote.clients, 500)
    assert.ok(asked < 15_000, `${asked} of 30,000 calls were taken`)
    let answered = 0
    for await (const { answers } of stream) answered += answers.length
    assert.equal(answered, 30_000)
  })
})
