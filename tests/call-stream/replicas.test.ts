import assert from 'node:assert/strict'
import { setTimeout as pause } from 'node:timers/promises'
import { SERVICES } from '../../shared/kinds/services.ts'
import { waitingServices } from '../../shared/rpc/server/waiting-service.ts'
import { breakableProxy } from '../support/breakable-proxy.ts'
import { atEnd } from '../support/cleanup.ts'
import { aClient, clientsServiceOf, startClientsServer } from '../support/clients-service.ts'
import { freePort } from '../support/free-port.ts'
import { grpcServer } from '../support/grpc-server.ts'
import { callMany, clientsAt, replica } from '../support/replicas.ts'
import { waitFor } from '../support/wait-for.ts'

describe('Calls to several replicas', () => {
  it('are distributed across all, including one that joined later', async () => {
    const [first, second] = [await replica({}), await replica({})]
    const port = await freePort()
    const clients = clientsAt([first.port, second.port, port], { renewMilliseconds: 50 })
    await waitFor(() => callMany(clients, 20).then(() => second.asked.length > 0 && first.asked.length > 0))
    const third = await replica({ port })
    await waitFor(() => callMany(clients, 20).then(() => third.asked.length > 0), { what: 'calls to the third' })
    const before = [first, second, third].map(({ asked }) => asked.length)
    await callMany(clients, 900)
    const shares = [first, second, third].map(({ asked }, index) => asked.length - (before[index] ?? 0))
    // While streams are being renewed, those opened first get more calls.
    assert.ok(Math.min(...shares) > 90, `calls for each: ${shares}`)
  })

  it('avoid a slow one', async () => {
    let isStuck = false
    const done = Promise.withResolvers<void>()
    const slow = await replica({ answer: () => isStuck && done.promise })
    const quick = await replica({})
    const clients = clientsAt([slow.port, quick.port], { renewMilliseconds: 500, timeoutMilliseconds: 60_000 })
    await waitFor(() => callMany(clients, 20).then(() => slow.asked.length > 0 && quick.asked.length > 0))
    isStuck = true
    const [slowBefore, quickBefore] = [slow.asked.length, quick.asked.length]
    const calls = callMany(clients, 500, 20)
    // The fast one has at most as many in flight as the slow one, so each then has half of the 20 callers.
    await waitFor(() => quick.asked.length - quickBefore >= 480, { what: 'the quick one’s calls' })
    done.resolve()
    await calls
    assert.ok(slow.asked.length - slowBefore <= 20, `${slow.asked.length - slowBefore} calls went to the slow one`)
  })

  it('avoid one that is waiting for its dependencies, and include it afterwards', async () => {
    const ready = await replica({})
    const waiting = waitingServices({ clients: SERVICES.contracts.clients }, 'its store')
    const late = await grpcServer(waiting.services)
    const clients = clientsAt([ready.port, late.port], { renewMilliseconds: 50 })
    for (let round = 0; round < 5; round++) {
      await callMany(clients, 100)
      await pause(50)
    }
    assert.equal(ready.asked.length, 500)

    let asked = 0
    const getClient = async ({ clientId }: { clientId: string }) => {
      asked++
      return { client: aClient({ clientId }) }
    }
    waiting.answerWith({
      clients: clientsServiceOf({ getClient, listClients: async () => ({ clients: [], total: 0 }) }),
    })
    await waitFor(() => callMany(clients, 20).then(() => asked > 0), { what: 'calls to the one that waited' })
  })

  it('are answered by another one if one dies in mid-call', async () => {
    let isStuck = false
    const dying = await replica({ answer: () => isStuck && new Promise(() => {}) })
    const other = await replica({})
    const proxy = atEnd.close(await breakableProxy(`127.0.0.1:${dying.port}`))
    const clients = clientsAt([proxy.port, other.port], { renewMilliseconds: 500 })
    await waitFor(() => callMany(clients, 20).then(() => dying.asked.length > 0 && other.asked.length > 0))
    isStuck = true
    const before = dying.asked.length
    const calls = callMany(clients, 200)
    await waitFor(() => dying.asked.length > before, { what: 'calls that are stuck' })
    await proxy.close()
    await calls
  })

  it('immediately avoid one that is stopping, so that it doesn’t have to wait', async () => {
    const [stopping, other] = [await replica({}), await replica({})]
    // Streams are neither renewed nor cut during the test: only the server's announcement can make callers leave it. A
    // client that started before one of its connections was open would not use it either.
    const clients = await waitFor(
      async () => {
        const calling = clientsAt([stopping.port, other.port], { renewMilliseconds: 600_000 })
        const before = stopping.asked.length
        const beforeOther = other.asked.length
        const areBothAsked = () => stopping.asked.length > before && other.asked.length > beforeOther
        await waitFor(() => callMany(calling, 20).then(areBothAsked), { timeout: 1_000, what: 'calls to both' })
        return calling
      },
      { timeout: 15_000, what: 'a client of both' },
    )
    let isStopped = false
    const calls = (async () => {
      while (!isStopped) await callMany(clients, 20)
    })()
    const before = stopping.asked.length
    await stopping.stop(600_000)
    isStopped = true
    await calls
    // Some were in flight; without the announcement, it would be thousands, until the connections are too old.
    const more = stopping.asked.length - before
    assert.ok(more < 200, `${more} calls were sent to one that stops`)
  })

  it('neither fail nor are sent twice during a rolling restart', async () => {
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
    atEnd(() => Promise.all(servers.map((server) => server.stop(0))))
    const ports = servers.map(({ port }) => port)
    const clients = clientsAt(ports)
    let isDone = false
    const calls = callMany(clients, 3_000, 10).finally(() => (isDone = true))
    for (let index = 0; !isDone; index = 1 - index) {
      const { port, stop } = servers[index] ?? assert.fail()
      await stop(20_000)
      servers[index] = await start(port)
      const count = asked.length
      await waitFor(() => isDone || asked.length > count + 100, { what: 'calls after the restart' })
    }
    await calls
    assert.equal(asked.length, 3_000)
    assert.equal(new Set(asked).size, 3_000)
  })
})
