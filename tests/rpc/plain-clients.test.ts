import assert from 'node:assert/strict'
import { once } from 'node:events'
import { globSync, readFileSync } from 'node:fs'
import { constants } from 'node:http2'
import { status } from '@grpc/grpc-js'
import { CodedError } from '../../shared/calls/errors.ts'
import { StoreUnavailable } from '../../shared/event-sourcing/ports/event-store.ts'
import { assertNone } from '../support/assert-none.ts'
import { atEnd } from '../support/cleanup.ts'
import { aClient, overGrpc } from '../support/clients-service.ts'
import { asProcess, TEST_KEY_ID, testAccess, withKey } from '../support/grpc-access.ts'
import { grpcCall } from '../support/grpc-call.ts'
import { askHealth, clientByReflection, clientFromProtoFile, listServices } from '../support/plain-grpc.ts'
import { http2Connection, openCall } from '../support/raw-grpc.ts'

const SERVICE = 'mint.contracts.v1.ClientsService'
const FILE = 'mint/contracts/v1/clients.proto'

describe('a gRPC client without Mint’s code', () => {
  it('can call with just the .proto file', async () => {
    const remote = await overGrpc(atEnd, { getClient: async ({ clientId }) => ({ client: aClient({ clientId }) }) })
    const client = clientFromProtoFile(remote.address, SERVICE, FILE)
    assert.deepEqual(await client.call('GetClient', { clientId: 'x' }), { client: aClient({ clientId: 'x' }) })
    client.close()
  })

  it('can discover the service by reflection and call it', async () => {
    const remote = await overGrpc(atEnd, { getClient: async ({ clientId }) => ({ client: aClient({ clientId }) }) })
    assert.deepEqual(await listServices(remote.address), [SERVICE])
    const client = await clientByReflection(remote.address, SERVICE)
    // Descriptors have the names from the .proto file.
    const answer = await client.call('GetClient', { client_id: 'x' })
    assert.deepEqual([answer.client.client_id, answer.client.display_name], ['x', 'École des Mines'])
    client.close()
  })

  it('acts as its API key, and gets a new request id', async () => {
    const seen: string[][] = []
    const remote = await overGrpc(atEnd, {
      getClient: async (_, context) => {
        seen.push([context?.actor ?? '', context?.requestId ?? ''])
        return { client: aClient() }
      },
    })
    const client = clientFromProtoFile(remote.address, SERVICE, FILE)
    await client.call('GetClient', {})
    await client.call('GetClient', {}, { 'mint-request-id': 'r-7' })
    assert.equal(seen[0]?.[0], TEST_KEY_ID)
    assert.match(seen[0]?.[1] ?? '', /^[0-9a-f-]{36}$/)
    assert.deepEqual(seen[1], [TEST_KEY_ID, 'r-7'])
    client.close()
  })

  it('gets an answer to a call that has ended without a message before its key is found', async () => {
    const arrived = Promise.withResolvers<void>()
    const { find } = testAccess.apiKeys
    const slow = {
      known: () => undefined,
      find: (...key: Parameters<typeof find>) => arrived.promise.then(() => find(...key)),
    }
    const remote = await overGrpc(atEnd, {}, { bounds: { apiKeys: slow } })
    const session = await http2Connection(remote.address)
    const stream = openCall(session, `/${SERVICE}/GetClient`, withKey()).end()
    const answered = once(stream, 'response')
    await once(stream, 'finish')
    // Its answer comes after the end of the stream has arrived.
    await new Promise((resolve) => session.ping(resolve))
    arrived.resolve()
    const [answer] = await answered
    assert.equal(Number(answer['grpc-status']), status.UNIMPLEMENTED)
    assert.equal(answer['grpc-message'], 'Send a message: the call ended without one.')
  })

  it('is asked to try again while keys can’t be read, before its call and in it, and learns of no other failure', async () => {
    const { find } = testAccess.apiKeys
    const failing = (error: Error) => () => Promise.reject(error)
    const [away, broken] = [failing(new StoreUnavailable('a secret')), failing(new Error('a secret'))]
    const tryAgain = { code: status.UNAVAILABLE, details: 'The API keys can’t be read now: try again.' }
    const internal = { code: status.INTERNAL, details: 'An internal error occurred.' }
    for (const [finds, expected] of [
      [[away], tryAgain],
      [[find, away], tryAgain],
      [[broken], internal],
      [[find, broken], internal],
    ] as const) {
      const next = finds.values()
      const apiKeys = { known: () => undefined, find: (sha256: string) => (next.next().value ?? find)(sha256) }
      const remote = await overGrpc(atEnd, { getClient: async () => assert.fail() }, { bounds: { apiKeys } })
      const client = clientFromProtoFile(remote.address, SERVICE, FILE)
      await assert.rejects(client.call('GetClient', {}), expected)
      client.close()
    }
  })

  it('gets standard gRPC status codes for coded errors', async () => {
    const remote = await overGrpc(atEnd, {
      getClient: async () => {
        throw new CodedError('validation_failed', 'The request is not valid.')
      },
    })
    const client = clientFromProtoFile(remote.address, SERVICE, FILE)
    await assert.rejects(client.call('GetClient', {}), {
      code: status.INVALID_ARGUMENT,
      details: 'The request is not valid.',
    })
    const tooLong = { 'mint-request-id': 'x'.repeat(129) }
    await assert.rejects(client.call('GetClient', {}, tooLong), { code: status.INVALID_ARGUMENT })
    client.close()
  })

  it('can ask the health service about the server and its services', async () => {
    const remote = await overGrpc(atEnd, {})
    assert.equal(await askHealth(remote.address, ''), 'SERVING')
    assert.equal(await askHealth(remote.address, SERVICE), 'SERVING')
    await assert.rejects(askHealth(remote.address, 'nobody.Knows'), { code: status.NOT_FOUND })
  })
})

describe('a gRPC server that gets bad calls', () => {
  const send = (address: string, path: string, bytes: Buffer) => grpcCall(address, path, asProcess, bytes)

  it('refuses malformed messages, unknown methods and oversized messages, and keeps serving', async () => {
    const remote = await overGrpc(atEnd, { getClient: async () => ({ client: aClient() }) })
    const outcomes = [
      await send(remote.address, `/${SERVICE}/GetClient`, Buffer.from([0xff, 0xff, 0xff])),
      await send(remote.address, `/${SERVICE}/DropAll`, Buffer.alloc(0)),
      await send(remote.address, '/nobody.Knows/GetClient', Buffer.alloc(0)),
      await send(remote.address, `/${SERVICE}/GetClient`, Buffer.alloc(2 * 1024 * 1024)),
    ]
    assert.deepEqual(
      outcomes.map(({ code }) => code),
      ['INVALID_ARGUMENT', 'UNIMPLEMENTED', 'UNIMPLEMENTED', 'RESOURCE_EXHAUSTED'],
    )
    assert.deepEqual(await remote.clients.getClient({ clientId: 'x' }), { client: aClient() })
  })

  it('parses no large message of a method that anyone, or any key, may call', async () => {
    const { address } = await overGrpc(atEnd, {})
    // 500,000 unknown fields.
    const large = Buffer.alloc(1_000_000, Buffer.from([0x78, 1]))
    for (const path of [
      '/grpc.health.v1.Health/Check',
      '/grpc.health.v1.Health/Watch',
      '/grpc.reflection.v1.ServerReflection/ServerReflectionInfo',
    ]) {
      const { code, details } = await send(address, path, large)
      assert.deepEqual([code, details], ['NOT_FOUND', 'This server knows no service of that name.'])
    }
  })

  it('refuses strings that are not UTF-8, instead of replacing characters', async () => {
    const remote = await overGrpc(atEnd, { getClient: async () => ({ client: aClient() }) })
    const clientId = Buffer.from([0x0a, 2, 0xc3, 0x28])
    const { code } = await send(remote.address, `/${SERVICE}/GetClient`, clientId)
    assert.equal(code, 'INVALID_ARGUMENT')
  })

  it('survives calls cancelled in progress', async () => {
    const remote = await overGrpc(atEnd, { getClient: async () => ({ client: aClient() }) })
    for (const path of [`/${SERVICE}/GetClient`, '/grpc.reflection.v1.ServerReflection/ServerReflectionInfo']) {
      const stream = openCall(await http2Connection(remote.address), path)
      stream.write(Buffer.from([0, 0, 0, 0, 9, 1]))
      const closed = once(stream, 'close')
      stream.close(constants.NGHTTP2_CANCEL)
      await closed
    }
    assert.deepEqual(await remote.clients.getClient({ clientId: 'x' }), { client: aClient() })
  })
})

describe('The examples in docs/grpc.md and grpc_tour.py', () => {
  const page = readFileSync('docs/grpc.md', 'utf8')
  const python = readFileSync('docs/examples/grpc_tour.py', 'utf8')
  const protos = globSync('proto/mint/**/*.proto').map((file) => readFileSync(file, 'utf8'))
  const names = (text: string, pattern: RegExp) => [...text.matchAll(pattern)].map(([, name = '']) => name)
  const missing = (found: readonly string[], declaration: (name: string) => RegExp) =>
    found.filter((name) => !protos.some((proto) => declaration(name).test(proto)))

  it('call only services and methods that exist, with messages that exist', () => {
    const services = [...names(page, /mint\.\w+\.v1\.(\w+)\//g), ...names(python, /\.(\w+)Stub\(/g)]
    const methods = [...names(page, /Service\/(\w+)/g), ...names(python, /\b(?:contracts|reports)\.([A-Z]\w+)\(/g)]
    const messages = names(python, /_pb2\.(\w+)\(/g)
    assert.ok(services.length > 4 && methods.length > 6 && messages.length > 3, [services, methods, messages].join())
    assertNone(missing(services, (name) => new RegExp(`^service ${name} \\{`, 'm')))
    assertNone(missing(methods, (name) => new RegExp(`\\brpc ${name}\\(`)))
    assertNone(missing(messages, (name) => new RegExp(`^message ${name} \\{`, 'm')))
  })

  it('name only fields that exist', () => {
    const sent = names(page, / -d '(.*?)'/g).flatMap((json) => Object.keys(JSON.parse(json)))
    const snake = sent.map((name) => name.replaceAll(/[A-Z]/g, (letter) => `_${letter.toLowerCase()}`))
    const given = names(python, /\b([a-z_]+)=/g).filter((name) => !['metadata', 'timeout'].includes(name))
    const read = names(python, /(?<=\b(?:first|again|contract|written|row|sums)\.)([a-z_]+)/g)
    assert.ok(snake.length > 3 && given.length > 6 && read.length > 6, [snake, given, read].join())
    assertNone(missing([...snake, ...given, ...read], (name) => new RegExp(`\\b${name} = \\d+;`)))
  })
})
