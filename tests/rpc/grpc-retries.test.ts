import assert from 'node:assert/strict'
import { createServer, type Http2Server, type ServerHttp2Session } from 'node:http2'
import type { AddressInfo } from 'node:net'
import { ClientsServiceClientImpl, GetClientResponse } from '../../shared/gen/mint/contracts/v1/clients.ts'
import { createGrpcRpc, type GrpcRpcOptions } from '../../shared/rpc/grpc-client.ts'
import { cleanup } from '../support/cleanup.ts'
import { aClient, startClientsServer } from '../support/clients-service.ts'
import { waitFor } from '../support/wait-for.ts'

/** An HTTP/2 server that breaks the connection in the first so many calls, and answers those after. */
async function breakingServer(ends: (end: () => unknown) => void, broken: number) {
  const seen: { path: string; commitId: string | undefined }[] = []
  const sessions = new Set<ServerHttp2Session>()
  const server: Http2Server = createServer()
  server.on('session', (session) => sessions.add(session))
  server.on('stream', (stream, headers) => {
    stream.on('error', () => {})
    seen.push({ path: String(headers[':path']), commitId: headers['mint-commit-id'] as string | undefined })
    if (seen.length <= broken) {
      stream.session?.destroy()
      return
    }
    const message = GetClientResponse.encode({ client: aClient() }).finish()
    const frame = Buffer.alloc(5 + message.length)
    frame.writeUInt32BE(message.length, 1)
    frame.set(message, 5)
    stream.respond({ ':status': 200, 'content-type': 'application/grpc' }, { waitForTrailers: true })
    stream.on('wantTrailers', () => stream.sendTrailers({ 'grpc-status': '0' }))
    stream.end(frame)
  })
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  const stop = () => {
    for (const session of sessions) session.destroy()
    server.close()
  }
  ends(stop)
  return {
    address: `127.0.0.1:${(server.address() as AddressInfo).port}`,
    seen,
    stop,
  }
}

const write = (rpc: ReturnType<typeof createGrpcRpc>) =>
  rpc.request('mint.contracts.v1.ContractsService', 'CreateContract', new Uint8Array())

describe('a call whose connection breaks', () => {
  const ends = cleanup()
  const clientOf = (options: GrpcRpcOptions) => {
    const rpc = createGrpcRpc(options)
    ends(() => rpc.close())
    return rpc
  }

  it('is sent again, a write with one and the same commit id', async () => {
    const server = await breakingServer(ends, 2)
    const rpc = clientOf({ address: server.address })
    await write(rpc)
    assert.equal(server.seen.length, 3)
    assert.match(server.seen[0]?.commitId ?? '', /./)
    assert.equal(new Set(server.seen.map(({ commitId }) => commitId)).size, 1)
  })

  it('is sent again when it reads', async () => {
    const server = await breakingServer(ends, 1)
    const rpc = clientOf({ address: server.address })
    assert.deepEqual(await new ClientsServiceClientImpl(rpc).getClient({ clientId: 'x' }), { client: aClient() })
    assert.deepEqual(
      server.seen.map(({ commitId }) => commitId),
      [undefined, undefined],
    )
  })

  it('ends as outcome_unknown when it may have written, and as unavailable when it reads', async () => {
    const server = await breakingServer(ends, Number.POSITIVE_INFINITY)
    const rpc = clientOf({ address: server.address })
    await assert.rejects(write(rpc), { code: 'outcome_unknown' })
    await assert.rejects(new ClientsServiceClientImpl(rpc).getClient({ clientId: 'x' }), { code: 'unavailable' })
    assert.ok(server.seen.length <= 10, 'no more than five attempts each')
  })

  it('ends as unavailable when nobody listens, since nothing can have been written', async () => {
    const server = await breakingServer(ends, 0)
    server.stop()
    const rpc = clientOf({ address: server.address, connectMilliseconds: 100 })
    await assert.rejects(write(rpc), { code: 'unavailable' })
  })

  it('works again within two seconds of the server’s return, on the same client', async () => {
    const first = await startClientsServer({ getClient: async () => ({ client: aClient() }) })
    const rpc = clientOf({ address: `127.0.0.1:${first.port}`, connectMilliseconds: 100 })
    const clients = new ClientsServiceClientImpl(rpc)
    await clients.getClient({ clientId: 'x' })
    await first.stop(0)
    await assert.rejects(clients.getClient({ clientId: 'x' }), { code: 'unavailable' })
    const second = await startClientsServer({ getClient: async () => ({ client: aClient() }) }, first.port)
    await waitFor(() => clients.getClient({ clientId: 'x' }), { timeout: 2000, what: 'an answer' })
    await second.stop(0)
  })
})
