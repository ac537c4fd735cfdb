import assert from 'node:assert/strict'
import type { CallContext } from '../../shared/calls/call-context.ts'
import { CodedError, RefusedBefore } from '../../shared/calls/errors.ts'
import { ClientsServiceClientImpl, ClientsServiceService } from '../../shared/gen/mint/contracts/v1/clients.ts'
import { ContractsServiceClientImpl, ContractsServiceService } from '../../shared/gen/mint/contracts/v1/contracts.ts'
import { DeadLettersServiceClientImpl } from '../../shared/gen/mint/contracts/v1/dead_letters.ts'
import { StatusServiceClientImpl } from '../../shared/gen/mint/operations/v1/status.ts'
import { createGrpcRpc, type GrpcRpcOptions } from '../../shared/rpc/client/grpc-client.ts'
import { grpcService } from '../../shared/rpc/server/grpc-server.ts'
import { breakableProxy } from '../support/breakable-proxy.ts'
import { atEnd } from '../support/cleanup.ts'
import { aClient, startClientsServer } from '../support/clients-service.ts'
import { testSecrets } from '../support/grpc-access.ts'
import { grpcServer } from '../support/grpc-server.ts'
import { aCall, aContract, aRetriedCall } from '../support/requests.ts'
import { waitFor } from '../support/wait-for.ts'

/** Real services whose connections break in each of the first `broken` calls, once it has arrived. */
async function breakingServer(broken: number, afterwards = async () => {}) {
  const seen: (CallContext | undefined)[] = []
  const breakAtFirst = async (context: CallContext | undefined): Promise<void> => {
    seen.push(context)
    if (seen.length > broken) return await afterwards()
    proxy.breakConnections()
    await new Promise(() => {})
  }
  const notAsked = async (): Promise<never> => {
    throw new Error('not a part of these tests')
  }
  const contracts = grpcService(ContractsServiceService, {
    async createContract(_, context) {
      await breakAtFirst(context)
      return { contract: undefined }
    },
    checkNewContracts: notAsked,
    getContract: notAsked,
    listContracts: notAsked,
    listContractHistory: notAsked,
    editContract: notAsked,
  })
  const clients = grpcService(ClientsServiceService, {
    async getClient(_, context) {
      await breakAtFirst(context)
      return { client: aClient() }
    },
    listClients: notAsked,
    listClientsByName: notAsked,
    listClientNames: notAsked,
  })
  const server = await grpcServer([contracts, clients])
  const proxy = await breakableProxy(`127.0.0.1:${server.port}`)
  const stop = async () => {
    await proxy.close()
    await server.stop(0)
  }
  atEnd(stop)
  return { address: `127.0.0.1:${proxy.port}`, seen, stop }
}

const write = (rpc: ReturnType<typeof createGrpcRpc>, context?: CallContext) =>
  new ContractsServiceClientImpl(rpc).createContract(aContract(), context)

describe('a call whose connection breaks', () => {
  const clientOf = (options: GrpcRpcOptions) => atEnd.close(createGrpcRpc({ secrets: testSecrets, ...options }))

  it('is retried, a write with the same commit id', async () => {
    const server = await breakingServer(2)
    const rpc = clientOf({ address: server.address })
    await write(rpc)
    assert.equal(server.seen.length, 3)
    assert.match(server.seen[0]?.commitId ?? '', /./)
    assert.equal(new Set(server.seen.map((context) => context?.commitId)).size, 1)
  })

  it('is marked as the first attempt only once, even if its caller knows that it was', async () => {
    const server = await breakingServer(2)
    for (const context of [undefined, aCall(), aCall({ requestHash: 'hash' })]) {
      server.seen.length = 0
      await write(clientOf({ address: server.address }), context)
      assert.deepEqual(
        server.seen.map((seen) => seen?.isNewCommit ?? false),
        [true, false, false],
      )
    }
  })

  it('is retried with the number of refusals that the server reports, if it has a key', async () => {
    const server = await breakingServer(1, async () => {
      if (server.seen.at(-1)?.refusals !== 3) throw new RefusedBefore(3)
    })
    const rpc = clientOf({ address: server.address })
    await write(rpc, aRetriedCall({ requestHash: 'hash' }))
    assert.deepEqual(
      server.seen.map((seen) => seen?.refusals),
      [0, 0, 3],
    )
    await assert.rejects(write(rpc, aCall()), { code: 'unavailable' }, 'without a key it is never sent again')
  })

  it('is retried if it only reads', async () => {
    const server = await breakingServer(1)
    const rpc = clientOf({ address: server.address })
    assert.deepEqual(await new ClientsServiceClientImpl(rpc).getClient({ clientId: 'x' }), { client: aClient() })
    assert.deepEqual(
      server.seen.map((context) => context?.commitId),
      [undefined, undefined],
    )
  })

  it('ends as outcome_unknown if it may have written, and as unavailable if it only reads', async () => {
    const server = await breakingServer(Number.POSITIVE_INFINITY)
    const rpc = clientOf({ address: server.address })
    await assert.rejects(write(rpc), { code: 'outcome_unknown' })
    await assert.rejects(new ClientsServiceClientImpl(rpc).getClient({ clientId: 'x' }), { code: 'unavailable' })
    assert.ok(server.seen.length <= 10, 'no more than five attempts each')
  })

  for (const code of ['unavailable', 'rate_limited'] as const) {
    it(`ends as outcome_unknown even if the next attempt is refused as ${code}`, async () => {
      const server = await breakingServer(1, async () => {
        throw new CodedError(code, 'Nothing was written: try again.')
      })
      const rpc = clientOf({ address: server.address })
      await assert.rejects(write(rpc), { code: 'outcome_unknown' })
      assert.equal(server.seen.length, 2)
      await assert.rejects(write(rpc), { code }, 'of a write that was sent once it is true')
    })
  }

  it('ends as unavailable if no server listens, since nothing can have been written', async () => {
    const server = await breakingServer(0)
    await server.stop()
    const rpc = clientOf({ address: server.address, connectMilliseconds: 100 })
    await assert.rejects(write(rpc), { code: 'unavailable' })
  })

  it('ends as unavailable if a server of another version lacks its method, since nothing can have been written', async () => {
    const server = await breakingServer(0)
    const rpc = clientOf({ address: server.address })
    const calls = [
      new StatusServiceClientImpl(rpc).getStatus({}),
      new DeadLettersServiceClientImpl(rpc).replayDeadLetters({ ids: [] }),
    ]
    for (const call of calls) await assert.rejects(call, { code: 'unavailable' })
  })

  it('succeeds again on the same client once the server is back', async () => {
    const first = await startClientsServer({ getClient: async () => ({ client: aClient() }) })
    const rpc = clientOf({ address: `127.0.0.1:${first.port}`, connectMilliseconds: 100 })
    const clients = new ClientsServiceClientImpl(rpc)
    await clients.getClient({ clientId: 'x' })
    await first.stop(0)
    await assert.rejects(clients.getClient({ clientId: 'x' }), { code: 'unavailable' })
    const second = await startClientsServer({ getClient: async () => ({ client: aClient() }) }, first.port)
    await waitFor(() => clients.getClient({ clientId: 'x' }), { what: 'an answer' })
    await second.stop(0)
  })
})
