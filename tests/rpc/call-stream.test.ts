import assert from 'node:assert/strict'
import { setTimeout as pause } from 'node:timers/promises'
import { Client, credentials } from '@grpc/grpc-js'
import { ClientsServiceClientImpl, GetClientRequest } from '../../shared/gen/mint/contracts/v1/clients.ts'
import { CallStreamServiceService } from '../../shared/gen/mint/rpc/v1/call_stream.ts'
import type { CallContext } from '../../shared/rpc/call-context.ts'
import { createGrpcRpc, type GrpcRpcOptions } from '../../shared/rpc/grpc-client.ts'
import { breakableProxy } from '../support/breakable-proxy.ts'
import { cleanup } from '../support/cleanup.ts'
import { aClient, overGrpc, startClientsServer } from '../support/clients-service.ts'
import { freePort } from '../support/free-port.ts'
import { waitFor } from '../support/wait-for.ts'

type Ends = (end: () => unknown) => void

const NO_CONTEXT = { actor: '', requestId: '', commitId: '', requestHash: '', timeoutMilliseconds: 0 }

/** A server that counts what it is asked, and answers after `answer`. */
async function replica(ends: Ends, { port = 0, answer = async () => {} }: { port?: number; answer?: () => unknown }) {
  const asked: (string | undefined)[] = []
  const getClient = async ({ clientId }: { clientId: string }, context?: CallContext) => {
    asked.push(context?.requestId)
    await answer()
    return { client: aClient({ clientId }) }
  }
  const server = await startClientsServer({ getClient }, port)
  ends(() => server.stop(0))
  return { asked, ...server }
}

function clientsAt(ends: Ends, ports: readonly number[], options: Partial<GrpcRpcOptions> = {}) {
  const address = `ipv4:${ports.map((port) => `127.0.0.1:${port}`).join(',')}`
  const rpc = createGrpcRpc({ address, ...options })
  ends(() => rpc.close())
  return new ClientsServiceClientImpl(rpc)
}

/** So many calls, a few at a time, each with a request id of its own. Rejects when one fails or gets another's answer. */
async function callMany(clients: ClientsServiceClientImpl, count: number, atOnce = 20): Promise<void> {
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

describe('Calls that share a stream', () => {
  const ends = cleanup()

  it('are each answered as soon as they are ready, whatever the others wait for', async () => {
    const held: (() => void)[] = []
    const remote = await overGrpc(ends, {
      getClient: async ({ clientId }) => {
        if (clientId === 'held') await new Promise<void>((resolve) => held.push(resolve))
        return { client: aClient({ clientId }) }
      },
    })
    const waiting = Array.from({ length: 50 }, () => remote.clients.getClient({ clientId: 'held' }))
    await waitFor(() => held.length === 50, { what: 'the calls that are held' })
    await callMany(remote.clients, 100)
    for (const release of held) release()
    const answers = await Promise.all(waiting)
    assert.deepEqual(new Set(answers.map(({ client }) => client?.clientId)), new Set(['held']))
  })

  it('don’t wait for another’s answer to get through when that is long', async () => {
    const long = Array.from({ length: 100 }, () => aClient({ displayName: 'x'.repeat(100_000) }))
    const remote = await overGrpc(ends, {
      listClients: async () => ({ clients: long, total: 100 }),
      getClient: async () => ({ client: aClient() }),
    })
    await remote.clients.getClient({ clientId: 'opens the stream' })
    const order: string[] = []
    const asked = { search: '', limit: 100, offset: 0 }
    await Promise.all([
      remote.clients.listClients(asked).then(({ clients }) => order.push(`${clients.length} clients`)),
      remote.clients.getClient({ clientId: 'x' }).then(() => order.push('one client')),
    ])
    assert.deepEqual(order, ['one client', '100 clients'])
  })

  it('take long requests in parts, and refuse those that are too long alone', async () => {
    const seen: number[] = []
    const remote = await overGrpc(ends, {
      getClient: async ({ clientId }) => {
        seen.push(clientId.length)
        return { client: aClient() }
      },
    })
    const ask = (length: number) => remote.clients.getClient({ clientId: 'x'.repeat(length) })
    const [, , refused] = await Promise.allSettled([ask(10), ask(500_000), ask(2_000_000), ask(20)])
    assert.equal(refused.status, 'rejected')
    assert.deepEqual(
      seen.toSorted((a, b) => a - b),
      [10, 20, 500_000],
    )
  })

  it('are not lost, and not sent twice, while streams are renewed', async () => {
    const server = await replica(ends, { answer: () => pause(Math.random() * 20) })
    const clients = clientsAt(ends, [server.port], { renewMilliseconds: 10 })
    await callMany(clients, 3_000, 50)
    assert.equal(server.asked.length, 3_000)
    assert.equal(new Set(server.asked).size, 3_000)
  }).timeout(20_000)
})

describe('A caller that sends calls and does not take answers', () => {
  const ends = cleanup()

  it('is read no further once much waits for it, and gets everything in the end', async () => {
    let asked = 0
    const remote = await overGrpc(ends, {
      getClient: async ({ clientId }) => {
        if (clientId === 'unread') asked++
        return { client: aClient({ clientId, displayName: 'x'.repeat(1_000) }) }
      },
    })
    const client = new Client(remote.address, credentials.createInsecure())
    ends(() => client.close())
    const { path, requestSerialize, responseDeserialize } = CallStreamServiceService.exchange
    const stream = client.makeBidiStreamRequest(path, requestSerialize, responseDeserialize)
    const payload = Buffer.from(GetClientRequest.encode({ clientId: 'unread' }).finish())
    const call = { method: 'mint.contracts.v1.ClientsService/GetClient', payload, more: false, ...NO_CONTEXT }
    const calls = Array.from({ length: 30_000 }, (_, index) => ({ ...call, id: index + 1 }))
    for (let index = 0; index < calls.length; index += 500) stream.write({ calls: calls.slice(index, index + 500) })
    stream.end()
    await waitFor(() => asked >= 9_000, { timeout: 20_000, what: 'the calls that are taken' })
    await callMany(remote.clients, 500)
    assert.ok(asked < 15_000, `${asked} of 30,000 calls were taken`)
    let answered = 0
    for await (const { answers } of stream) answered += answers.length
    assert.equal(answered, 30_000)
  }).timeout(60_000)
})

describe('Calls to several replicas', () => {
  const ends = cleanup()

  it('are spread over all, also over one that came later', async () => {
    const [first, second] = [await replica(ends, {}), await replica(ends, {})]
    const port = await freePort()
    const clients = clientsAt(ends, [first.port, second.port, port], { renewMilliseconds: 50 })
    await waitFor(() => callMany(clients, 20).then(() => second.asked.length > 0 && first.asked.length > 0))
    const third = await replica(ends, { port })
    await waitFor(() => callMany(clients, 20).then(() => third.asked.length > 0), { what: 'calls to the third' })
    const before = [first, second, third].map(({ asked }) => asked.length)
    await callMany(clients, 900)
    const shares = [first, second, third].map(({ asked }, index) => asked.length - (before[index] ?? 0))
    assert.ok(Math.min(...shares) > 200, `calls for each: ${shares}`)
  }).timeout(20_000)

  it('go to the others when one is slow', async () => {
    const slow = await replica(ends, { answer: () => pause(200) })
    const quick = await replica(ends, {})
    const clients = clientsAt(ends, [slow.port, quick.port])
    await waitFor(() => callMany(clients, 20).then(() => slow.asked.length > 0 && quick.asked.length > 0))
    const before = slow.asked.length
    await callMany(clients, 500)
    assert.ok(slow.asked.length - before < 100, `${slow.asked.length - before} of 500 calls went to the slow one`)
  }).timeout(20_000)

  it('are answered by the others when one dies in the middle of them', async () => {
    let isStuck = false
    const dying = await replica(ends, { answer: () => isStuck && new Promise(() => {}) })
    const other = await replica(ends, {})
    const proxy = await breakableProxy(dying.port)
    ends(() => proxy.close())
    const clients = clientsAt(ends, [proxy.port, other.port])
    await waitFor(() => callMany(clients, 20).then(() => dying.asked.length > 0 && other.asked.length > 0))
    isStuck = true
    const before = dying.asked.length
    const calls = callMany(clients, 200)
    await waitFor(() => dying.asked.length > before, { what: 'calls that are stuck' })
    await proxy.close()
    await calls
  })

  it('neither fail nor are sent twice when one after the other stops and starts again', async () => {
    const asked: (string | undefined)[] = []
    const start = (port = 0) =>
      startClientsServer(
        {
          getClient: async ({ clientId }, context) => {
            asked.push(context?.requestId)
            await pause(Math.random() * 10)
            return { client: aClient({ clientId }) }
          },
        },
        port,
      )
    const servers = [await start(), await start()]
    ends(() => Promise.all(servers.map((server) => server.stop(0))))
    const ports = servers.map(({ port }) => port)
    const clients = clientsAt(ends, ports)
    let isDone = false
    const calls = callMany(clients, 3_000, 10).finally(() => (isDone = true))
    for (let index = 0; !isDone; index = 1 - index) {
      const { port, stop } = servers[index] ?? assert.fail()
      await stop(2_000)
      servers[index] = await start(port)
      const count = asked.length
      await waitFor(() => isDone || asked.length > count + 100, { what: 'calls after the restart' })
    }
    await calls
    assert.equal(asked.length, 3_000)
    assert.equal(new Set(asked).size, 3_000)
  }).timeout(30_000)
})
