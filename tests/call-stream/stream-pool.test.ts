import assert from 'node:assert/strict'
import { EventEmitter } from 'node:events'
import { Client, credentials } from '@grpc/grpc-js'
import { GetClientRequest, GetClientResponse } from '../../shared/gen/mint/contracts/v1/clients.ts'
import { createStreamPool } from '../../shared/rpc/call-stream/stream-pool.ts'
import { createConnecting } from '../../shared/rpc/client/connecting.ts'
import { atEnd } from '../support/cleanup.ts'
import { testSecrets } from '../support/grpc-access.ts'
import { heapMegabytes } from '../support/heap.ts'
import { replica } from '../support/replicas.ts'
import { waitFor } from '../support/wait-for.ts'

const METHOD = 'mint.contracts.v1.ClientsService/GetClient'
const CONTEXT = { actor: 'a', requestId: 'r' }

/** A connection that counts the streams opened in all and those still open. */
class CountedClient extends Client {
  opened = 0
  open = 0

  override makeBidiStreamRequest(...request: unknown[]) {
    const stream = Reflect.apply(super.makeBidiStreamRequest, this, request)
    this.opened += 1
    this.open += 1
    stream.once('end', () => (this.open -= 1))
    return stream
  }
}

describe('A stream pool', () => {
  it('reuses the stream to a server for every call until it is renewed', async () => {
    const { port } = await replica({})
    const address = `127.0.0.1:${port}`
    const client = atEnd.close(new CountedClient(address, credentials.createInsecure()))
    const pool = createStreamPool(client, {
      connected: createConnecting(client, { address }),
      renewMilliseconds: 60_000,
      secrets: testSecrets,
    })
    atEnd(() => pool.close())

    const call = async (clientId: string): Promise<string | undefined> => {
      const deadline = Date.now() + 5_000
      await pool.connected(deadline)
      const answer = await pool.send(METHOD, GetClientRequest.encode({ clientId }).finish(), CONTEXT, deadline)
      return GetClientResponse.decode(answer).client?.clientId
    }
    assert.equal(await call('first'), 'first')
    // The second stream shows the pool that there is no other server.
    await waitFor(() => client.opened === 2 && client.open === 1, { what: 'the look for other servers to end' })
    for (let count = 0; count < 20; count++) await call('again')
    assert.deepEqual([client.opened, client.open], [2, 1])
  })

  it('holds nothing of the calls that waited for a stream in vain', async () => {
    const refuse = () => {
      const stream = new EventEmitter()
      setImmediate(() => stream.emit('error', new Error('not ready')))
      return stream
    }
    const client = { makeBidiStreamRequest: refuse } as unknown as Client
    const connected = async (): Promise<void> => undefined
    const pool = createStreamPool(client, { connected, renewMilliseconds: 60_000, secrets: testSecrets })
    atEnd(() => pool.close())
    const before = heapMegabytes()
    const waitInVain = () => assert.rejects(pool.connected(Date.now() + 400), /not ready/)
    await Promise.all(Array.from({ length: 2_000 }, waitInVain))
    const more = heapMegabytes() - before
    assert.ok(more < 2, `${more} MB more`)
  })
})
