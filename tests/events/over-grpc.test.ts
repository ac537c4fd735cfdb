import assert from 'node:assert/strict'
import { Client, credentials, Metadata, type ServiceError } from '@grpc/grpc-js'
import { published } from '../../services/contracts/published.ts'
import type { Scope } from '../../shared/api-keys/scopes.ts'
import { configuredKey } from '../../shared/api-keys/serving/accepted-keys.ts'
import type { Position } from '../../shared/event-sourcing/event.ts'
import { createEnveloper } from '../../shared/events/enveloper.ts'
import { createEventsService } from '../../shared/events/events-service.ts'
import {
  type Event,
  EventsServiceService,
  type FollowEventsResponse,
  type ListEventsRequest,
} from '../../shared/gen/mint/events/v1/events.ts'
import { grpcService } from '../../shared/rpc/server/grpc-server.ts'
import { fromGrpcStatus } from '../../shared/rpc/status.ts'
import { atEnd } from '../support/cleanup.ts'
import { namesNobody } from '../support/envelopes.ts'
import { testAccess, withKey } from '../support/grpc-access.ts'
import { grpcCall, outcomeOf } from '../support/grpc-call.ts'
import { grpcServer } from '../support/grpc-server.ts'
import { listServices } from '../support/plain-grpc.ts'
import { quietLogger } from '../support/quiet-logger.ts'
import { EMPTY_MESSAGE, http2Connection, openCall } from '../support/raw-grpc.ts'
import { aContract, present } from '../support/requests.ts'
import { openServices } from '../support/services.ts'
import { staticApiKeys } from '../support/static-api-keys.ts'
import { waitFor } from '../support/wait-for.ts'

const keyWith = (name: string, scopes: readonly Scope[]) => {
  const secret = `mint_follower-${name}`
  return { secret, key: { ...configuredKey(secret), scopes } }
}
const READER = keyWith('reader', ['contracts:read'])
const OTHER = keyWith('other', ['businesses:read', 'keys:admin'])
const ADMIN = keyWith('admin', ['keys:admin'])

describe('Events over gRPC', () => {
  async function start() {
    const services = await openServices()
    const database = services.contractsData
    const envelopesOf = createEnveloper({ database, published, nameOf: namesNobody })
    const logger = quietLogger()
    const events = createEventsService({ events: database.events, published, envelopesOf, logger })
    const keys = staticApiKeys([READER.key, OTHER.key, ADMIN.key])
    const valid = { isRevoked: false }
    const known = (sha256: string) => (valid.isRevoked ? undefined : keys.known(sha256))
    const apiKeys = { known, find: async (sha256: string) => known(sha256) }
    const server = await grpcServer([grpcService(EventsServiceService, events)], { access: { ...testAccess, apiKeys } })
    const client = new Client(server.address, credentials.createInsecure())
    atEnd(() => client.close())
    const create = async (count = 1): Promise<void> => {
      for (let index = 0; index < count; index++) await services.contracts.createContract(aContract())
    }
    return { services, server, client, valid, create, position: () => database.events.head() }
  }

  const metadataOf = ({ secret }: { secret: string }, more: Record<string, string> = {}) => {
    const metadata = new Metadata()
    for (const [name, value] of Object.entries({ ...withKey(secret), ...more })) metadata.set(name, value)
    return metadata
  }

  function list(client: Client, request: Partial<ListEventsRequest> = {}, metadata = metadataOf(READER)) {
    const { path, requestSerialize, responseDeserialize } = EventsServiceService.listEvents
    const full = { after: '', limit: 0, types: [], ...request }
    return new Promise<{ events: Event[]; next: string; more: boolean }>((resolve, reject) => {
      client.makeUnaryRequest(path, requestSerialize, responseDeserialize, full, metadata, (error, answer) =>
        error ? reject(error) : resolve(present(answer)),
      )
    })
  }

  function follow(client: Client, after = '', metadata = metadataOf(READER)) {
    const { path, requestSerialize, responseDeserialize } = EventsServiceService.followEvents
    const request = { after, types: [] }
    const call = client.makeServerStreamRequest(path, requestSerialize, responseDeserialize, request, metadata)
    const events: Event[] = []
    let next = after
    call.on('data', (piece: FollowEventsResponse) => {
      events.push(...piece.events)
      next = piece.next
    })
    const ended = new Promise<ServiceError | undefined>((resolve) => {
      call.on('error', resolve).on('end', () => resolve(undefined))
    })
    atEnd(() => call.cancel())
    const seen = (count: number) => waitFor(() => events.length >= count, { what: `${count} events` })
    return { call, events, ended, seen, next: () => next }
  }

  const codeOf = async (ended: Promise<ServiceError | undefined>) => {
    const { code, reason } = outcomeOf(present(await ended))
    return [code, reason]
  }

  it('come in pages, each with its cursor, and are listed by reflection', async () => {
    const { server, client, create } = await start()
    await create(5)
    // On a busy machine, a page may end early.
    const first = await waitFor(async () => {
      const page = await list(client, { limit: 2 })
      return page.events.length > 1 ? page : undefined
    })
    assert.deepEqual(
      first.events.map(({ subject }) => subject),
      ['1', '2'],
    )
    assert.deepEqual([first.events[1]?.cursor, first.more], [first.next, true])
    const rest = await list(client, { after: present(first.events[0]).cursor })
    assert.deepEqual(
      rest.events.map(({ subject }) => subject),
      ['2', '3', '4', '5'],
    )
    assert.equal(rest.more, false)
    assert.deepEqual((await list(client, { after: rest.next })).events, [])
    assert.ok((await listServices(server.address, READER.secret)).includes('mint.events.v1.EventsService'))
  })

  it('require a scope that reads their records, whatever a caller claims', async () => {
    const { server, client, create } = await start()
    await create()
    const claiming = metadataOf(OTHER, { 'mint-scopes': 'contracts:read' })
    assert.deepEqual((await list(client, {}, claiming)).events, [], 'businesses are in another log')
    const refused = await list(client, { types: ['mint.contract.created.v1'] }, claiming).catch((error) => error)
    assert.equal(outcomeOf(refused).reason, 'insufficient_scope')
    const { listEvents, getLatestCursor } = EventsServiceService
    for (const { path } of [listEvents, getLatestCursor]) {
      assert.equal((await grpcCall(server.address, path, withKey(ADMIN.secret))).reason, 'insufficient_scope', path)
    }
    const end = await grpcCall(server.address, getLatestCursor.path, withKey(OTHER.secret))
    const { cursor } = getLatestCursor.responseDeserialize(present(end.answer))
    assert.equal(cursor, '0', 'not even how many there are')
    const { ended } = follow(client, '999.aaaaaaaaaaa')
    assert.deepEqual(await codeOf(ended), ['INVALID_ARGUMENT', 'validation_failed'])
  })

  it('are refused after `now`, saying how to start from there over gRPC', async () => {
    const { client } = await start()
    const refused = fromGrpcStatus(await list(client, { after: 'now' }).catch((error) => error))
    assert.match(refused?.violations[0]?.message ?? '', /`now` \(over gRPC, the cursor of GetLatestCursor\)/)
  })

  it('are refused if both the cursor and the types are wrong, without a rejection that nobody handles', async () => {
    const { client } = await start()
    const after = 'never.seen'
    const refused = await list(client, { after, types: ['never.seen'] }).catch((error) => error)
    assert.equal(outcomeOf(refused).reason, 'validation_failed')
    const types = ['mint.contract.created.v1']
    const forbidden = await list(client, { after, types }, metadataOf(OTHER)).catch((error) => error)
    assert.equal(outcomeOf(forbidden).reason, 'insufficient_scope')
  })

  it('can be followed for as long as the call lasts, each once', async () => {
    const { client, create } = await start()
    await create(150)
    const { events, seen, next } = follow(client)
    await seen(150)
    for (let count = 151; count <= 160; count++) {
      await create()
      await seen(count)
    }
    assert.deepEqual(
      events.map(({ subject }) => Number(subject)),
      Array.from({ length: 160 }, (_, index) => index + 1),
    )
    const again = follow(client, next())
    await create()
    await again.seen(1)
    assert.deepEqual(
      again.events.map(({ subject }) => subject),
      ['161'],
    )
  })

  it('end with UNAVAILABLE if the server stops, and UNAUTHENTICATED if the key is revoked', async () => {
    const { server, client, create, valid } = await start()
    await create()
    const one = follow(client)
    await one.seen(1)
    valid.isRevoked = true
    assert.deepEqual(await codeOf(one.ended), ['UNAUTHENTICATED', 'invalid_api_key'])
    valid.isRevoked = false
    const other = follow(client)
    await other.seen(1)
    await server.stop(5_000)
    assert.deepEqual(await codeOf(other.ended), ['UNAVAILABLE', 'unavailable'])
  })

  it('come in messages that clients accept by default, even where events a hundred times as long follow', async () => {
    const { services, client, create } = await start()
    await create(200)
    // Each takes 60,000 bytes as JSON.
    const notes = '\u0001'.repeat(10_000)
    for (let index = 0; index < 160; index++) await services.contracts.createContract({ ...aContract(), notes })
    const subjects: string[] = []
    for (let [next, more] = ['', true]; more; ) {
      const page = await list(client, { after: next, limit: 1_000 })
      const characters = page.events.reduce((sum, { data }) => sum + data.length, 0)
      assert.ok(characters <= 1_048_576, `a page has ${characters} characters`)
      subjects.push(...page.events.map(({ subject }) => subject))
      ;({ next, more } = page)
    }
    const all = Array.from({ length: 360 }, (_, index) => String(index + 1))
    assert.deepEqual(subjects, all)
    const { events, seen } = follow(client)
    await seen(360)
    assert.deepEqual(
      events.map(({ subject }) => subject),
      all,
    )
  })

  it('are read for a follower only as fast as it takes them', async () => {
    const { services, server } = await start()
    const notes = 'x'.repeat(10_000)
    for (let index = 0; index < 300; index++) await services.contracts.createContract({ ...aContract(), notes })
    let read = 0
    const { events } = services.contractsData
    const scan = events.scan.bind(events)
    Object.assign(events, {
      scan: async (...asked: Parameters<typeof scan>) => {
        const scanned = await scan(...asked)
        read += scanned.events.length
        return scanned
      },
    })
    // grpc-js would read 16 messages ahead of a caller that has stopped reading.
    const session = await http2Connection(server.address)
    const slow = openCall(session, EventsServiceService.followEvents.path, withKey(READER.secret)).end(EMPTY_MESSAGE)
    await waitFor(() => read > 0, { what: 'the first piece' })
    await new Promise((resolve) => setTimeout(resolve, 500))
    assert.ok(read <= 200, `${read} of 300 events are read for a follower that takes nothing`)
    slow.resume()
    await waitFor(() => read === 300, { what: 'all events' })
  })

  it('can be awaited by any number of callers with one read of the log’s end at a time', async () => {
    const { services, create } = await start()
    const { events } = services.contractsData
    const head = events.head.bind(events)
    let running = 0
    let peak = 0
    Object.assign(events, {
      head: async () => {
        peak = Math.max(peak, ++running)
        await new Promise((resolve) => setTimeout(resolve, 5))
        running--
        return await head()
      },
    })
    const envelopesOf = createEnveloper({ database: services.contractsData, published, nameOf: namesNobody })
    const service = createEventsService({ events, published, envelopesOf, logger: quietLogger() })
    await create()
    const { cursor } = await service.getLatestCursor({ waitMilliseconds: 0 })
    const waiting = Array.from({ length: 100 }, () =>
      service.getLatestCursor({ after: cursor, waitMilliseconds: 4_000 }),
    )
    await new Promise((resolve) => setTimeout(resolve, 100))
    assert.equal(peak, 1)
    await create()
    for (const answer of await Promise.all(waiting)) assert.notEqual(answer.cursor, cursor)
    assert.equal(await head(), 2 as Position)
  })
})
