import assert from 'node:assert/strict'
import { once } from 'node:events'
import { readFileSync } from 'node:fs'
import { connect } from 'node:net'
import { Client, credentials, Metadata, type ServiceError } from '@grpc/grpc-js'
import type { CallContext } from '../../shared/calls/call-context.ts'
import { CallStreamServiceService } from '../../shared/gen/mint/rpc/v1/call_stream.ts'
import { createGrpcRpc } from '../../shared/rpc/client/grpc-client.ts'
import { accessServer, short } from '../support/access-server.ts'
import { createAuthority } from '../support/certificates.ts'
import { atEnd } from '../support/cleanup.ts'
import { asProcess, TEST_KEY_ID, TEST_SECRET, withKey } from '../support/grpc-access.ts'
import { type GrpcOutcome, grpcCall, outcomeOf } from '../support/grpc-call.ts'
import { newFolder } from '../support/temporary-folder.ts'
import { waitFor } from '../support/wait-for.ts'
import { watchedCertificates } from '../support/watched-certificates.ts'

const WRITE = '/mint.contracts.v1.ContractsService/CreateContract'

describe('A gRPC server of Mint', () => {
  const given = (secrets?: () => readonly string[]) => accessServer(secrets && { secrets })

  it('lets only Mint’s own processes name an actor and a commit', async () => {
    const { address, seen } = await given()
    const named = { 'mint-actor': 'a-key', 'mint-commit-id': 'c-1', 'mint-request-hash': 'h-1' }
    assert.equal((await grpcCall(address, WRITE, { ...asProcess, ...named })).code, 'OK')
    const { actor, commitId, requestHash } = seen[0] ?? {}
    assert.deepEqual([actor, commitId, requestHash], ['a-key', 'c-1', 'h-1'])
    assert.deepEqual(short(await grpcCall(address, WRITE, named)), ['UNAUTHENTICATED', 'missing_api_key'])
    const wrong = await grpcCall(address, WRITE, { ...named, 'mint-service-secret': `${TEST_SECRET}x` })
    assert.deepEqual(short(wrong), ['UNAUTHENTICATED', 'invalid_api_key'])
    assert.match(wrong.details ?? '', /give all processes the same SERVICE_SECRET/)
  })

  /** The first outcome on a call stream: its first message or a refusal. */
  function openStream(address: string, metadata: Readonly<Record<string, string>>): Promise<GrpcOutcome> {
    const client = atEnd.close(new Client(address, credentials.createInsecure()))
    const { path, requestSerialize, responseDeserialize } = CallStreamServiceService.exchange
    const sent = Metadata.fromHttp2Headers(metadata)
    const stream = client.makeBidiStreamRequest(path, requestSerialize, responseDeserialize, sent)
    return new Promise<GrpcOutcome>((resolve) => {
      stream.on('error', (error: ServiceError) => resolve(outcomeOf(error)))
      stream.on('data', () => resolve({ code: 'OK' }))
      // A hostile caller may send this without waiting to be accepted.
      const call = { id: 1, method: WRITE.slice(1), actor: 'x', requestId: '', commitId: '', requestHash: '' }
      stream.write({
        calls: [
          {
            ...call,
            timeoutMilliseconds: 0,
            payload: Buffer.alloc(0),
            isNewCommit: false,
          },
        ],
      })
    })
  }

  it('opens a call stream only for Mint’s own processes', async () => {
    const { address, seen } = await given()
    const refused: Readonly<Record<string, string>>[] = [
      {},
      withKey('mint_nobody-has-this-one'),
      withKey(),
      { 'mint-service-secret': 'a-guess-at-the-secret' },
    ]
    assert.deepEqual((await Promise.all(refused.map((metadata) => openStream(address, metadata)))).map(short), [
      ['UNAUTHENTICATED', 'missing_api_key'],
      ['UNAUTHENTICATED', 'invalid_api_key'],
      ['PERMISSION_DENIED', 'insufficient_scope'],
      ['UNAUTHENTICATED', 'invalid_api_key'],
    ])
    assert.deepEqual(seen, [])
    assert.equal((await openStream(address, asProcess)).code, 'OK')
  })

  it('has a caller with a key check the name of a method that doesn’t exist', async () => {
    const { address } = await given()
    const { code, details } = await grpcCall(address, '/mint.contracts.v1.ContractsService/GetContracts', withKey())
    assert.deepEqual([code, details?.includes('check it against the .proto files')], ['PERMISSION_DENIED', true])
  })

  it('trusts no caller as a process of Mint if neither secrets nor client certificates are configured', async () => {
    const { address } = await given(() => [])
    for (const metadata of [{}, asProcess, { 'mint-service-secret': '' }]) {
      assert.equal((await openStream(address, metadata)).code, 'UNAUTHENTICATED')
    }
  })

  it('accepts any of its current secrets, while clients present only their first', async () => {
    let accepted = ['the-old-secret-here']
    let presented = ['the-old-secret-here']
    const { address } = await given(() => accepted)
    const contexts = { actor: 'a', requestId: 'r' }
    const call = async () => {
      const rpc = createGrpcRpc({ address, secrets: () => presented })
      try {
        await rpc.request('mint.contracts.v1.ContractsService', 'GetContract', Buffer.alloc(0), contexts)
        return 'ok'
      } catch (error) {
        return (error as { code?: string }).code
      } finally {
        rpc.close()
      }
    }
    assert.equal(await call(), 'ok')
    accepted = ['the-old-secret-here', 'the-new-secret-here']
    presented = ['the-new-secret-here', 'the-old-secret-here']
    assert.equal(await call(), 'ok')
    presented = ['the-old-secret-here']
    assert.equal(await call(), 'ok')
    accepted = ['the-new-secret-here']
    assert.equal(await call(), 'unavailable')
  })

  it('keeps at most 1,024 connections open, and still serves a call', async () => {
    const { address } = await given()
    const port = Number(address.split(':')[1])
    let closed = 0
    for (let index = 0; index < 1_100; index++) {
      const socket = atEnd.destroy(connect(port, '127.0.0.1').on('error', () => undefined))
      socket.resume().on('close', () => closed++)
      // One at a time: a burst would overflow the system's queue.
      await once(socket, 'connect')
    }
    await waitFor(() => closed === 76, { what: 'the connections beyond 1,024 to be closed' })
    assert.equal((await grpcCall(address, WRITE, asProcess)).code, 'OK')
  })

  it('accepts a verified client certificate as proof of identity if no secret is set and no API key is sent', async () => {
    const authority = createAuthority(newFolder())
    const own = authority.issue('own')
    const ca = readFileSync(authority.cert)
    const seen: (CallContext | undefined)[][] = []
    const addressWith = async (secrets: readonly string[], isMutual: boolean): Promise<string> => {
      const tls = await watchedCertificates({ ...own, ...(isMutual && { ca: authority.cert }) })
      const server = await accessServer({ secrets: () => secrets }, { tls })
      seen.push(server.seen)
      return server.address.replace('127.0.0.1', 'localhost')
    }
    const actors = () => seen.flat().map((context) => context?.actor)
    const channel = credentials.createSsl(ca, readFileSync(own.key), readFileSync(own.cert))
    const call = (address: string, metadata: Record<string, string>) =>
      grpcCall(address, WRITE, metadata, Buffer.alloc(0), channel)

    const mutual = await addressWith([], true)
    assert.equal((await call(mutual, { 'mint-actor': 'somebody' })).code, 'OK')
    assert.equal((await call(mutual, withKey())).code, 'OK')
    assert.deepEqual(actors(), ['somebody', TEST_KEY_ID])
    assert.equal((await call(mutual, { ...withKey(), 'mint-actor': 'somebody' })).code, 'PERMISSION_DENIED')
    const withSecret = await addressWith([TEST_SECRET], true)
    assert.equal((await call(withSecret, { 'mint-actor': 'somebody' })).code, 'UNAUTHENTICATED')
    assert.equal((await call(withSecret, { ...asProcess, 'mint-actor': 'somebody' })).code, 'OK')
    const oneSided = await addressWith([], false)
    assert.equal((await call(oneSided, { 'mint-actor': 'somebody' })).code, 'UNAUTHENTICATED')
    assert.equal(actors().length, 3)
  })
})
