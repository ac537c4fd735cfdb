import assert from 'node:assert/strict'
import { once } from 'node:events'
import { type ClientHttp2Session, type ClientSessionOptions, connect, constants } from 'node:http2'
import { gzipSync } from 'node:zlib'
import { configuredKey } from '../../shared/api-keys/serving/accepted-keys.ts'
import { createBudget } from '../../shared/budget/budget.ts'
import { ListClientsRequest } from '../../shared/gen/mint/contracts/v1/clients.ts'
import { atEnd } from '../support/cleanup.ts'
import { aClient, overGrpc } from '../support/clients-service.ts'
import { TEST_KEY, withKey } from '../support/grpc-access.ts'
import { grpcCall } from '../support/grpc-call.ts'
import { askHealth } from '../support/plain-grpc.ts'
import { EMPTY_MESSAGE, framed, http2Connection, openCall } from '../support/raw-grpc.ts'
import { staticApiKeys } from '../support/static-api-keys.ts'
import { waitFor } from '../support/wait-for.ts'

const HEALTH = '/grpc.health.v1.Health/Check'
const WATCH = '/grpc.health.v1.Health/Watch'
const LIST = '/mint.contracts.v1.ClientsService/ListClients'
const REFLECTION = '/grpc.reflection.v1.ServerReflection/ServerReflectionInfo'
const GET = '/mint.contracts.v1.ClientsService/GetClient'
const UNKNOWN = '/mint.contracts.v1.NoService/NoMethod'
const OTHER_KEY = 'mint_another-key-for-the-suite'
const THIRD_KEY = 'mint_a-third-key-for-the-suite'
const apiKeys = staticApiKeys([TEST_KEY, OTHER_KEY, THIRD_KEY].map(configuredKey))

const MEGABYTE = 2 ** 20
/** With the smallest budget: the bytes that a key or an address may hold. */
const SHARE = { key: 16 * MEGABYTE, address: 4 * MEGABYTE }
const STREAM_BYTES = 64 * 1024

/** How HTTP/2 refuses further calls on a connection that has as many as it may. */
const REFUSED_BY_HTTP2: readonly number[] = [constants.NGHTTP2_REFUSED_STREAM, constants.NGHTTP2_ENHANCE_YOUR_CALM]

interface Call {
  readonly stream: ReturnType<typeof openCall>
  /** The gRPC code from its headers or trailers. */
  status?: string
  closed?: true
}

const aList = (limit: number) => ListClientsRequest.encode({ search: '', limit, offset: 0 }).finish()

describe('The memory that callers hold over gRPC', () => {
  async function given() {
    const budget = createBudget(0)
    let lists = 0
    const { address } = await overGrpc(
      atEnd,
      {
        getClient: async () => ({ client: aClient() }),
        async listClients({ limit }) {
          lists++
          const displayName = 'x'.repeat(10_000)
          return { clients: Array.from({ length: limit }, () => aClient({ displayName })), total: 0 }
        },
      },
      { bounds: { budget, apiKeys } },
    )

    const connection = (localAddress = '127.0.0.1'): Promise<ClientHttp2Session> =>
      http2Connection(address, { maxSessionMemory: 100, localAddress } as ClientSessionOptions)

    /** Opens a call whose request is left open. */
    function open(session: ClientHttp2Session, path: string, headers: Record<string, string> = {}): Call {
      const call: Call = { stream: openCall(session, path, headers) }
      const note = (received: Record<string, unknown>): void => {
        if (received['grpc-status'] !== undefined) call.status = String(received['grpc-status'])
      }
      call.stream
        .on('response', note)
        .on('trailers', note)
        .on('close', () => (call.closed = true))
      return call
    }

    /** Sends a whole request, and reads the answer. */
    function send(session: ClientHttp2Session, path: string, key?: string): Call {
      const call = open(session, path, key === undefined ? {} : withKey(key))
      call.stream.resume().end(EMPTY_MESSAGE)
      return call
    }

    /** Ten watches of the service's health on each connection, which stay open. */
    const watches = (sessions: readonly ClientHttp2Session[]): Call[] =>
      sessions.flatMap((session) => Array.from({ length: 10 }, () => send(session, WATCH)))

    return { address, budget, session: await connection(), connection, open, send, watches, lists: () => lists }
  }

  it('is limited to a few streams per connection until a caller authenticates: the others wait', async () => {
    const { session: unknown, connection, open, send } = await given()
    const known = await connection()
    const call = send(known, GET, TEST_KEY)
    await waitFor(() => call.status === '0', { what: 'the call with a key' })
    const answered = { unknown: 0, known: 0 }
    for (const [name, session] of Object.entries({ unknown, known })) {
      for (let count = 0; count < 15; count++) {
        const { stream } = open(session, WATCH)
        stream.on('response', () => answered[name as keyof typeof answered]++).end(EMPTY_MESSAGE)
      }
    }
    await waitFor(() => answered.known === 15, { what: 'the calls on the connection with a key' })
    await new Promise((resume) => unknown.ping(resume))
    assert.equal(answered.unknown, 10)
  })

  it('is limited for an address to its share, however many connections it has', async () => {
    const { address, budget, connection, watches } = await given()
    const { addresses } = budget.pools
    const sessions = await Promise.all(Array.from({ length: 12 }, () => connection()))
    const calls = watches(sessions)
    await waitFor(() => calls.filter(({ closed }) => closed).length === 120 - SHARE.address / STREAM_BYTES, {
      what: 'the refusals',
    })
    const refused = calls.filter(({ closed }) => closed)
    assert.ok(refused.some(({ status }) => status === '8'))
    assert.ok(refused.every(({ status, stream }) => status === '8' || REFUSED_BY_HTTP2.includes(stream.rstCode ?? 0)))
    assert.equal(addresses.held(), SHARE.address)
    assert.equal((await grpcCall(address, GET, withKey())).code, 'OK')
    for (const session of sessions) session.destroy()
    await waitFor(() => addresses.held() === 0, { what: 'the release of all streams' })
    assert.equal(await askHealth(address, ''), 'SERVING')
  })

  it('is not asked for by one more call after another: a connection without room has a single one for a while', async () => {
    const { connection, open, watches } = await given()
    const calls = watches(await Promise.all(Array.from({ length: 7 }, () => connection())))
    await waitFor(() => calls.some(({ status }) => status === '8'), { what: 'a full share' })
    const session = await connection()
    assert.equal(session.remoteSettings.maxConcurrentStreams, 10)
    open(session, WATCH).stream.resume()
    const limited = (limit: number) => () => session.remoteSettings.maxConcurrentStreams === limit
    await waitFor(limited(1), { what: 'the limit' })
    await waitFor(limited(10), { what: 'the end of the limit' })
  })

  it('costs nobody else’s calls over a connection that both use, as behind a proxy', async () => {
    const { budget, session, open, send } = await given()
    for (const key of [TEST_KEY, OTHER_KEY]) {
      const call = send(session, GET, key)
      await waitFor(() => call.status === '0', { what: 'a call with each key' })
    }
    const share = budget.ofKey(configuredKey(TEST_KEY).principal)
    while (share.take(STREAM_BYTES));
    const refused = open(session, GET, withKey())
    await waitFor(() => refused.status === '8', { what: 'the refusal' })
    await new Promise((resume) => session.ping(resume))
    assert.equal(session.remoteSettings.maxConcurrentStreams, 100)
  })

  it('is reclaimed from the address that holds most, if another one needs it', async () => {
    const { address, budget, connection, watches } = await given()
    const from = ['127.0.0.2', '127.0.0.3'].flatMap((one) => Array<string>(7).fill(one))
    const calls = watches(await Promise.all(from.map(connection)))
    const { addresses } = budget.pools
    await waitFor(() => calls.filter(({ closed }) => closed).length === 12, { what: 'a full pool' })
    assert.equal(addresses.held(), 2 * SHARE.address)
    assert.equal(await askHealth(address, ''), 'SERVING')
    await waitFor(() => calls.filter(({ closed }) => closed).length === 13, { what: 'the end of the oldest' })
  })

  it('is released by a refused call, even if its caller leaves it open', async () => {
    const { budget, session, open } = await given()
    for (let count = 0; count < 30; count++) {
      const { stream } = open(session, GET, { authorization: `Bearer ${'x'.repeat(3_000)}` })
      stream.resume()
      await once(stream, 'close')
    }
    await waitFor(() => budget.pools.addresses.held() === 0, { what: 'the release of all streams' })
    assert.equal(budget.pools.addresses.refusals(), 0)
  })

  it('includes at most 16 KB of headers per call', async () => {
    const { budget, session, open } = await given()
    const withHeaders = (kilobytes: number): Call =>
      open(session, WATCH, Object.fromEntries(Array.from({ length: kilobytes }, (_, n) => [`x-${n}`, 'x'.repeat(970)])))
    const call = withHeaders(54)
    await waitFor(() => call.closed, { what: 'the refusal' })
    assert.equal(call.stream.rstCode, constants.NGHTTP2_ENHANCE_YOUR_CALM)
    assert.equal(budget.pools.addresses.held(), 0)
    withHeaders(14)
    await waitFor(() => budget.pools.addresses.held() === STREAM_BYTES, { what: 'a call with fewer headers' })
  })

  it('is protected by closing a connection that sends more headers before it acknowledges the limit', async () => {
    const { address, open } = await given()
    for (const path of [GET, UNKNOWN]) {
      const session = atEnd.destroy(connect(`http://${address}`))
      const ended = once(
        session.on('error', () => {}),
        'close',
      )
      const call = open(session, path, { ...withKey(), more: 'x'.repeat(54_000) })
      await ended
      assert.equal(call.status, undefined)
    }
    assert.equal((await grpcCall(address, GET, withKey())).code, 'OK')
  })

  it('is released by calls that end as soon as they begin, whatever they call', async () => {
    const { address, session, open } = await given()
    for (const path of [GET, UNKNOWN, WATCH]) {
      const calls = Array.from({ length: 50 }, () => open(session, path, withKey()))
      for (const { stream } of calls) stream.close(constants.NGHTTP2_CANCEL)
    }
    await new Promise((resume) => session.ping(resume))
    assert.equal((await grpcCall(address, GET, withKey())).code, 'OK')
  })

  it('includes partly received messages, and is reclaimed for callers who hold less', async () => {
    const { address, budget, session, open } = await given()
    const upload = (key: string): Call => {
      const call = open(session, GET, withKey(key))
      call.stream.resume().write(framed(Buffer.alloc(900_000), { length: 1_000_000 }))
      return call
    }
    const calls = Array.from({ length: 30 }, () => upload(TEST_KEY))
    const { keys } = budget.pools
    await waitFor(() => calls.filter(({ closed }) => closed).length > 15, { what: 'the refusals' })
    await waitFor(() => keys.held() > 10 * MEGABYTE, { what: 'the messages' })
    assert.ok(keys.held() <= SHARE.key)
    const others = Array.from({ length: 8 }, () => upload(OTHER_KEY))
    await waitFor(() => others.some(({ closed }) => closed), { what: 'a full pool' })
    assert.equal((await grpcCall(address, GET, withKey(THIRD_KEY))).code, 'OK')
    session.destroy()
    await waitFor(() => keys.held() === 0, { what: 'the release of all messages' })
  })

  it('includes no message that is much larger than what arrives of it: compressed ones are refused', async () => {
    const { address, budget, session, open } = await given()
    for (const [path, headers] of [
      [HEALTH, {}],
      [GET, withKey()],
    ] as const) {
      const call = open(session, path, { ...headers, 'grpc-encoding': 'gzip' })
      let accepted: unknown
      call.stream.on('response', ({ 'grpc-accept-encoding': encodings }) => (accepted = encodings))
      // Its caller leaves it open, so that it would stay in memory.
      call.stream.resume().write(framed(gzipSync(Buffer.alloc(MEGABYTE - 100, '\x0a\x01x')), { flag: 1 }))
      await waitFor(() => call.closed, { what: 'the refusal' })
      assert.deepEqual([call.status, accepted], ['12', 'identity'])
    }
    assert.equal((await grpcCall(address, GET, { ...withKey(), 'grpc-encoding': 'identity' })).code, 'OK')
    await waitFor(() => budget.pools.addresses.held() === 0, { what: 'the release of all streams' })
  })

  it('includes no message in thousands of tiny pieces, each of which takes more than its bytes', async () => {
    const { budget, session, open } = await given()
    const calls = [open(session, HEALTH), open(session, GET, withKey())]
    for (const call of calls) {
      call.stream.resume().write(framed(Buffer.alloc(0), { length: 1_000_000 }))
      for (let sent = 0; sent < 1_500 && !call.closed; sent++) {
        // Each in a frame of its own.
        await new Promise((written) => call.stream.write('x', written))
      }
      await waitFor(() => call.closed, { what: 'the refusal' })
    }
    assert.deepEqual(
      calls.map(({ status }) => status),
      ['8', '8'],
    )
    await waitFor(() => budget.pools.addresses.held() + budget.pools.keys.held() === 0, { what: 'the release' })
  })

  it('includes unread answers up to the share of their key, while other keys get theirs', async () => {
    const { address, budget, connection, open, lists } = await given()
    const { keys } = budget.pools
    const sessions = await Promise.all([connection(), connection(), connection()])
    const calls = sessions.flatMap((session) =>
      Array.from({ length: 20 }, () => {
        const call = open(session, LIST, withKey())
        call.stream.end(framed(aList(100)))
        return call
      }),
    )
    // One more answer could take nine megabytes.
    await waitFor(() => keys.held() > 6 * MEGABYTE, { what: 'the answers that nobody reads' })
    assert.ok(keys.held() <= SHARE.key, `${keys.held()} bytes`)
    assert.ok(lists() < 20, `${lists()} answers of a megabyte were made`)
    assert.equal((await grpcCall(address, LIST, withKey(OTHER_KEY), aList(100))).code, 'OK')
    await waitFor(() => calls.some(({ status }) => status === '8'), { what: 'the refusals' })
    for (const session of sessions) session.destroy()
    await waitFor(() => keys.held() === 0, { what: 'the release of all answers' })
  })

  it('includes only a few unread reflection answers, however many requests are sent', async () => {
    let asked = 0
    const countKey = () => ({ isRefused: false, left: asked++ })
    const { address } = await overGrpc(atEnd, {}, { bounds: { countKey } })
    const session = await http2Connection(address, { settings: { initialWindowSize: 1_000 } })
    const stream = openCall(session, REFLECTION, withKey())
    const listServices = framed(Buffer.from([0x3a, 0]))
    stream.write(Buffer.concat(Array(5_000).fill(listServices)))
    await waitFor(() => asked > 3, { what: 'the first answers' })
    for (let count = 0; count < 50; count++) await grpcCall(address, GET, withKey())
    assert.ok(asked < 150, `${asked} questions were read`)
  })
})
