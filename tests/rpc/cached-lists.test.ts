import assert from 'node:assert/strict'
import { ClientsServiceService } from '../../shared/gen/mint/contracts/v1/clients.ts'
import { createGrpcRpc } from '../../shared/rpc/client/grpc-client.ts'
import { clientCachingLists } from '../../shared/rpc/client/remote-services.ts'
import { atEnd } from '../support/cleanup.ts'
import { aClient, overGrpc } from '../support/clients-service.ts'
import { testSecrets } from '../support/grpc-access.ts'

const page = (offset: number) => ({ search: '', limit: 50, offset })

describe('A client that caches lists', () => {
  it('returns the same object for a request as long as the server’s answer is the same', async () => {
    let displayName = 'before'
    let asked = 0
    const { address } = await overGrpc(atEnd, {
      async listClients({ offset }) {
        asked++
        return { clients: [aClient({ displayName: `${displayName} ${offset}` })], total: 1 }
      },
    })
    const rpc = atEnd.close(createGrpcRpc({ address, secrets: testSecrets }))
    const clients = clientCachingLists(ClientsServiceService, rpc)

    const [first, other] = [await clients.listClients(page(0)), await clients.listClients(page(1))]
    assert.deepEqual(
      [first, other].map(({ clients }) => clients[0]?.displayName),
      ['before 0', 'before 1'],
    )
    assert.equal(await clients.listClients(page(0)), first)
    displayName = 'after'
    const changed = await clients.listClients(page(0))
    assert.equal(changed.clients[0]?.displayName, 'after 0')
    assert.equal(await clients.listClients(page(0)), changed)
    assert.equal(asked, 5, 'every call is sent')
  })
})
