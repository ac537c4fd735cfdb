import assert from 'node:assert/strict'
import { once } from 'node:events'
import { Client, type ClientDuplexStream, credentials, Metadata, type ServiceError, status } from '@grpc/grpc-js'
import { createBudget } from '../../shared/budget/budget.ts'
import { GetClientRequest, ListClientsRequest } from '../../shared/gen/mint/contracts/v1/clients.ts'
import {
  type Call,
  CallStreamServiceService,
  type ExchangeRequest,
  type ExchangeResponse,
} from '../../shared/gen/mint/rpc/v1/call_stream.ts'
import { atEnd } from '../support/cleanup.ts'
import { aClient, overGrpc } from '../support/clients-service.ts'
import { asProcess } from '../support/grpc-access.ts'
import { clientFromProtoFile } from '../support/plain-grpc.ts'
import { callMany } from '../support/replicas.ts'
import { waitFor } from '../support/wait-for.ts'

const proof = Metadata.fromHttp2Headers(asProcess)
const SERVICE = 'mint.contracts.v1.ClientsService'

interface HostileStream extends ClientDuplexStream<ExchangeRequest, ExchangeResponse> {
  /** How the server ended it, if it did. */
  reason?: ServiceError
}

/** The first message with answers. */
const answerOn = (stream: HostileStream) =>
  new Promise<ExchangeResponse>((resolve) => {
    stream.on('data', (response: ExchangeResponse) => response.answers.length > 0 && resolve(response))
  })

/** A call that is sent to the server unchanged. */
const aCall = (id: number, changes: Partial<Call> = {}): Call => ({
  id,
  method: `${SERVICE}/GetClient`,
  payload: Buffer.from(GetClientRequest.encode({ clientId: 'x' }).finish()),
  actor: '',
  requestId: '',
  commitId: '',
  requestHash: '',
  isNewCommit: false,
  timeoutMilliseconds: 0,
  ...changes,
})

const aListCall = (id: number, limit = 100): Call =>
  aCall(id, {
    method: `${SERVICE}/ListClients`,
    payload: Buffer.from(ListClientsRequest.encode({ search: '', limit, offset: 0 }).finish()),
  })

describe('A hostile caller over gRPC', () => {
  function openStream(address: string): HostileStream {
    const client = atEnd.close(new Client(address, credentials.createInsecure()))
    const { path, requestSerialize, responseDeserialize } = CallStreamServiceService.exchange
    const stream: HostileStream = client.makeBidiStreamRequest(path, requestSerialize, responseDeserialize, proof)
    return stream.on('error', (error: ServiceError) => {
      stream.reason = error
    })
  }

  async function send(stream: HostileStream, calls: Call[]): Promise<void> {
    if (stream.reason) return
    if (!stream.write({ calls }))
      await Promise.race([once(stream, 'drain'), once(stream, 'end')]).catch(() => undefined)
  }

  it('has at most a hundred calls per connection handled at a time, and the rest afterwards', async () => {
    const held: (() => void)[] = []
    let asked = 0
    const { address, clients } = await overGrpc(atEnd, {
      async getClient() {
        asked++
        await new Promise<void>((resolve) => held.push(resolve))
        return { client: aClient() }
      },
    })
    const client = atEnd.close(clientFromProtoFile(address, SERVICE, 'mint/contracts/v1/clients.proto'))
    const calls = Array.from({ length: 250 }, () => client.call('GetClient', { clientId: 'x' }))
    await waitFor(() => held.length === 100, { what: 'the calls that are let in' })
    // On a separate connection: while it is opened and answered, no further call on the first one is accepted.
    await assert.rejects(clients.listClients({ search: '', limit: 0, offset: 0 }))
    assert.equal(asked, 100)
    await waitFor(
      () => {
        for (const release of held.splice(0)) release()
        return asked === 250
      },
      { what: 'the rest of the calls' },
    )
    for (const release of held.splice(0)) release()
    assert.equal((await Promise.all(calls)).length, 250)
  })

  it('gets Mint’s own error for an unreadable message, not a library’s', async () => {
    const { address, clients } = await overGrpc(atEnd, { getClient: async () => ({ client: aClient() }) })
    const client = atEnd.close(new Client(address, credentials.createInsecure()))
    const { path, responseDeserialize } = CallStreamServiceService.exchange
    const asTheyAre = (bytes: Buffer): Buffer => bytes
    const stream = client.makeBidiStreamRequest(path, asTheyAre, responseDeserialize, proof)
    const refused = once(stream, 'error')
    stream.resume().write(Buffer.from([0x0a, 0x7f, 0x01]))
    const [{ code, details }] = await refused
    assert.deepEqual(
      [code, details],
      [status.INVALID_ARGUMENT, 'A message of the stream can’t be read: check it against the .proto file.'],
    )
    assert.deepEqual(await clients.getClient({ clientId: 'x' }), { client: aClient() })
  })

  /** A server with the smallest budget, 16 MB per key, whose lists wait to be released. */
  async function withHeldLists(displayName = '') {
    const held: (() => void)[] = []
    let isHolding = false
    const budget = createBudget(0)
    const remote = await overGrpc(
      atEnd,
      {
        async listClients({ limit }) {
          if (isHolding) await new Promise<void>((resolve) => held.push(resolve))
          return { clients: Array.from({ length: limit }, () => aClient({ displayName })), total: 0 }
        },
        getClient: async ({ clientId }) => ({ client: aClient({ clientId }) }),
      },
      { bounds: { budget } },
    )
    const release = (): void => {
      for (const one of held.splice(0)) one()
    }
    return { ...remote, held, release, budget, hold: () => (isHolding = true) }
  }

  it('gets as many concurrent lists as fit into its key’s share, and blocks neither other callers nor other calls', async () => {
    const { address, held, release, hold } = await withHeldLists('x'.repeat(20_000))
    hold()
    const stream = openStream(address)
    const answered: number[] = []
    stream.on('data', ({ answers }: ExchangeResponse) => answered.push(...answers.map(({ id }) => id)))
    const busy = Array.from({ length: 20 }, (_, index) => aListCall(index + 1))
    await send(stream, [...busy.map((call) => ({ ...call, actor: 'busy' })), { ...aCall(21), actor: 'busy' }])
    await send(stream, [{ ...aListCall(22), actor: 'polite' }])
    // One per key: a list of a hundred could take more than half of a share.
    await waitFor(() => answered.length > 0 && held.length === 2, { what: 'the lists that there is room for' })
    assert.deepEqual(answered, [21])
    await waitFor(
      () => {
        release()
        return answered.length === 22
      },
      { what: 'all lists' },
    )
  })

  it('who reads no answers causes only a few to be computed', async () => {
    const budget = createBudget(0)
    let asked = 0
    const clients = Array.from({ length: 100 }, () => aClient({ displayName: 'x'.repeat(5_000) }))
    const remote = await overGrpc(
      atEnd,
      {
        async listClients() {
          asked++
          return { clients, total: 100 }
        },
        getClient: async () => ({ client: aClient() }),
      },
      { bounds: { budget } },
    )
    await remote.clients.listClients({ search: '', limit: 100, offset: 0 })
    const stream = openStream(remote.address)
    // Read first, because grpc-js reads ahead of a paused stream only once it was read.
    await once(stream, 'data')
    stream.pause()
    await send(
      stream,
      Array.from({ length: 200 }, (_, index) => aListCall(index + 1)),
    )
    await waitFor(() => asked >= 16, { what: 'the lists that are let in' })
    const other = atEnd.close(clientFromProtoFile(remote.address, SERVICE, 'mint/contracts/v1/clients.proto'))
    for (let count = 0; count < 50; count++) await other.call('GetClient', { clientId: 'x' })
    assert.ok(asked < 80, `${asked} answers of half a megabyte were made`)
    let answers = 0
    stream.on('data', (response: ExchangeResponse) => {
      answers += response.answers.length
    })
    stream.resume()
    await waitFor(() => answers === 200, { timeout: 60_000, what: 'all answers, or refusals' })
  }).timeout(90_000)

  it('who reads no answers on many streams holds no more than its key’s share, and nothing once they are closed', async () => {
    const { address, clients, budget } = await withHeldLists('x'.repeat(40_000))
    const streams = Array.from({ length: 6 }, () => openStream(address).pause())
    for (const stream of streams) {
      await send(
        stream,
        Array.from({ length: 16 }, (_, index) => aListCall(index + 1, 90)),
      )
    }
    const { keys } = budget.pools
    await waitFor(() => keys.held() > 10 * 2 ** 20, { what: 'answers that nobody takes' })
    await callMany(clients, 10)
    assert.ok(keys.held() <= 16 * 2 ** 20 + 2 ** 20, `${keys.held()} bytes`)
    for (const stream of streams) stream.cancel()
    await waitFor(() => keys.held() === 0, { what: 'the release of all answers' })
  }).timeout(90_000)

  it('can’t get an invalid traceparent stored', async () => {
    const traceparent = `00-${'a'.repeat(32)}-${'b'.repeat(16)}-01`
    const seen: (string | undefined)[] = []
    const { address } = await overGrpc(atEnd, {
      async getClient(_, context) {
        seen.push(context?.traceparent)
        return { client: aClient() }
      },
    })
    const stream = openStream(address)
    for (const given of [traceparent, 'x'.repeat(100_000), '\r\n'])
      await send(stream, [aCall(1, { traceparent: given })])
    await waitFor(() => seen.length === 3)
    assert.deepEqual(seen, [traceparent, undefined, undefined])
  })

  it('gets a short error for a method with a long name', async () => {
    const { address } = await overGrpc(atEnd, {})
    const stream = openStream(address)
    const answer = answerOn(stream)
    await send(stream, [aCall(1, { method: 'x'.repeat(500_000) })])
    const [{ status: refusal } = { status: Buffer.alloc(0) }] = (await answer).answers
    assert.ok(refusal.length > 0 && refusal.length < 200, `${refusal.length} bytes`)
  })
})
