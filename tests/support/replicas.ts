import assert from 'node:assert/strict'
import type { CallContext } from '../../shared/calls/call-context.ts'
import { ClientsServiceClientImpl } from '../../shared/gen/mint/contracts/v1/clients.ts'
import { createGrpcRpc, type GrpcRpcOptions } from '../../shared/rpc/client/grpc-client.ts'
import { atEnd } from './cleanup.ts'
import { aClient, startClientsServer } from './clients-service.ts'
import { testSecrets } from './grpc-access.ts'

/** A server that collects the ids of the requests it gets, and answers after `answer`. */
export async function replica({ port = 0, answer = async () => {} }: { port?: number; answer?: () => unknown }) {
  const asked: (string | undefined)[] = []
  const getClient = async ({ clientId }: { clientId: string }, context?: CallContext) => {
    asked.push(context?.requestId)
    await answer()
    return { client: aClient({ clientId }) }
  }
  const server = await startClientsServer({ getClient }, port)
  atEnd(() => server.stop(0))
  return { asked, ...server }
}

/** Clients of the servers at these ports, behind one address. */
export function clientsAt(ports: readonly number[], options: Partial<GrpcRpcOptions> = {}) {
  const address = `ipv4:${ports.map((port) => `127.0.0.1:${port}`).join(',')}`
  const rpc = atEnd.close(createGrpcRpc({ address, secrets: testSecrets, ...options }))
  return new ClientsServiceClientImpl(rpc)
}

/** Makes this many calls, a few at a time, with distinct request ids. Rejects if one fails or gets another's answer. */
export async function callMany(clients: ClientsServiceClientImpl, count: number, atOnce = 20): Promise<void> {
  let next = 0
  const caller = async (): Promise<void> => {
    while (next < count) {
      const clientId = `client-${next++}`
      const { client } = await clients.getClient({ clientId }, { actor: 'a', requestId: clientId })
      assert.equal(client?.clientId, clientId)
    }
  }
  await Promise.all(Array.from({ length: atOnce }, caller))
}
