import assert from 'node:assert/strict'
import { once } from 'node:events'
import { createConnection } from 'node:net'
import { Client, credentials, Metadata } from '@grpc/grpc-js'
import { createBudget, type MemoryBudget } from '../../shared/budget/budget.ts'
import { GetClientRequest } from '../../shared/gen/mint/contracts/v1/clients.ts'
import { CallStreamServiceService } from '../../shared/gen/mint/rpc/v1/call_stream.ts'
import { atEnd } from '../support/cleanup.ts'
import { aClient, overGrpc } from '../support/clients-service.ts'
import { asProcess, TEST_KEY_ID, withKey } from '../support/grpc-access.ts'
import { http2Connection, openCall } from '../support/raw-grpc.ts'
import { waitFor } from '../support/wait-for.ts'

const GET = 'mint.contracts.v1.ClientsService/GetClient'
const request = Buffer.from(GetClientRequest.encode({ clientId: 'any' }).finish())

/** A budget that counts its waiting callers. */
function watchedBudget() {
  const real = createBudget(0)
  let waiting = 0
  const budget: MemoryBudget = {
    ...real,
    ofKey(id) {
      const share = real.ofKey(id)
      return {
        ...share,
        async wait(...how) {
          waiting += 1
          try {
            return await share.wait(...how)
          } finally {
            waiting -= 1
          }
        },
      }
    },
  }
  return { budget, waiting: () => waiting }
}

describe('A caller over gRPC who disconnects while waiting for memory', () => {
  async function given() {
    const { budget, waiting } = watchedBudget()
    const { address } = await overGrpc(
      atEnd,
      { getClient: async () => ({ client: aClient() }) },
      { bounds: { budget } },
    )
    const client = atEnd.close(new Client(address, credentials.createInsecure()))
    // Enough for a stream, but not for an answer: callers wait until they disconnect, or for five seconds.
    assert.ok(budget.ofKey(TEST_KEY_ID).take(16 * 2 ** 20 - 70_000))
    return { client, waiting }
  }

  const leaves = (waiting: () => number) =>
    waitFor(() => waiting() === 0, { timeout: 2_000, what: 'the end of the wait' })

  it('stops waiting, with a plain call', async () => {
    const { client, waiting } = await given()
    const asIs = (bytes: Buffer): Buffer => bytes
    const call = client.makeUnaryRequest(`/${GET}`, asIs, asIs, request, Metadata.fromHttp2Headers(withKey()), () => {})
    await waitFor(() => waiting() === 1, { what: 'the call' })
    call.cancel()
    await leaves(waiting)
  })

  it('stops waiting, with many calls on a stream', async () => {
    const { client, waiting } = await given()
    const { path, requestSerialize, responseDeserialize } = CallStreamServiceService.exchange
    const proof = Metadata.fromHttp2Headers(asProcess)
    const stream = client.makeBidiStreamRequest(path, requestSerialize, responseDeserialize, proof)
    stream.on('data', () => {}).on('error', () => {})
    const context = { actor: TEST_KEY_ID, requestId: '', commitId: '', requestHash: '', timeoutMilliseconds: 0 }
    const calls = [1, 2, 3].map((id) => ({
      id,
      method: GET,
      payload: request,
      isNewCommit: false,
      ...context,
    }))
    stream.write({ calls })
    await waitFor(() => waiting() === 3, { what: 'the calls' })
    stream.cancel()
    await leaves(waiting)
  })
})

describe('A caller over gRPC who closes its side of the connection', () => {
  it('counts as gone at once, and not only once it answers no ping', async () => {
    const budget = createBudget(0)
    const { address } = await overGrpc(atEnd, {}, { bounds: { budget } })
    const socket = createConnection(Number(address.split(':')[1]), '127.0.0.1')
    const session = await http2Connection(address, { createConnection: () => socket })
    let pings = 0
    session.on('ping', () => pings++)
    openCall(session, '/grpc.health.v1.Health/Watch')
    await waitFor(() => budget.pools.addresses.held() > 0, { what: 'the call' })
    const closed = once(session, 'close')
    socket.end()
    await closed
    await waitFor(() => budget.pools.addresses.held() === 0, { what: 'the release of its call' })
    assert.equal(pings, 0)
  })
})
