import assert from 'node:assert/strict'
import { ClientsServiceClientImpl } from '../../shared/gen/mint/contracts/v1/clients.ts'
import { SERVICES } from '../../shared/kinds/services.ts'
import { createGrpcRpc } from '../../shared/rpc/client/grpc-client.ts'
import { createHealthReport, type HealthReport } from '../../shared/rpc/server/health.ts'
import { waitingServices } from '../../shared/rpc/server/waiting-service.ts'
import { atEnd } from '../support/cleanup.ts'
import { aClient, clientsServiceOf } from '../support/clients-service.ts'
import { testSecrets } from '../support/grpc-access.ts'
import { grpcServer } from '../support/grpc-server.ts'
import { askHealth, healthChanges, watchHealth } from '../support/plain-grpc.ts'

const SERVICE = 'mint.contracts.v1.ClientsService'

describe('a gRPC server that waits for its dependencies', () => {
  async function start(health: HealthReport) {
    const waiting = waitingServices({ clients: SERVICES.contracts.clients }, 'its store')
    const { address, stop } = await grpcServer(waiting.services, { health })
    return { waiting, address, stop }
  }

  it('reports NOT_SERVING and refuses calls as unavailable, then reports SERVING and answers', async () => {
    const health = createHealthReport({ serving: false })
    const { waiting, address } = await start(health)
    const rpc = atEnd.close(createGrpcRpc({ address, secrets: testSecrets }))
    const clients = new ClientsServiceClientImpl(rpc)
    assert.deepEqual(await Promise.all([askHealth(address, ''), askHealth(address, SERVICE)]), Array(2).fill(UNREADY))
    const deadline = Date.now() + 300
    const refused = clients.getClient({ clientId: 'x' }, { actor: 'test', requestId: 'r-1', deadline })
    await assert.rejects(refused, { code: 'unavailable' })

    waiting.answerWith({ clients: clientsServiceOf({ getClient: async () => ({ client: aClient() }) }) })
    health.set('', async () => true)
    assert.deepEqual(await Promise.all([askHealth(address, ''), askHealth(address, SERVICE)]), Array(2).fill(READY))
    assert.deepEqual((await clients.getClient({ clientId: 'x' })).client, aClient())
  })

  it('reports each dependency under its own name, checked again for every request', async () => {
    let away = false
    const health = createHealthReport({ serving: false })
    health.set('', async () => !away)
    health.set('kafka', async () => false)
    const { address } = await start(health)
    assert.deepEqual([await askHealth(address, ''), await askHealth(address, 'kafka')], [READY, UNREADY])
    away = true
    const unforeseen = () => {
      throw new Error('unforeseen')
    }
    for (const failing of [unforeseen, async () => unforeseen()]) {
      health.set('kafka', async () => true)
      assert.equal(await askHealth(address, 'kafka'), READY)
      health.set('kafka', failing)
      assert.deepEqual([await askHealth(address, ''), await askHealth(address, 'kafka')], [UNREADY, UNREADY])
    }
  })

  it('checks a dependency again for a new watcher', async () => {
    const health = createHealthReport({ serving: true })
    const { address } = await start(health)
    health.set('kafka', async () => true)
    assert.equal(await watchHealth(address, 'kafka'), READY)
  })

  it('reports a change to those who watch, whoever finds it, but no repetition', async () => {
    const health = createHealthReport({ serving: true })
    const { address } = await start(health)
    let isThere = true
    health.set('kafka', async () => isThere)
    const changes = healthChanges(address, 'kafka')
    assert.equal((await changes.next()).value, READY)
    for (isThere of [true, false, false, true]) await askHealth(address, 'kafka')
    assert.deepEqual([(await changes.next()).value, (await changes.next()).value], [UNREADY, READY])
    await changes.return(undefined)
  })

  it('ends a watch with NOT_SERVING when it stops, instead of waiting for the watcher', async () => {
    const { address, stop } = await start(createHealthReport({ serving: true }))
    const changes = healthChanges(address, '')
    assert.equal((await changes.next()).value, READY)
    await stop(60_000)
    assert.deepEqual(await Array.fromAsync(changes), [UNREADY])
  })

  it('reports its own health without waiting for optional dependencies', async () => {
    const health = createHealthReport({ serving: false })
    const { address } = await start(health)
    health.set('', async () => true)
    health.set('kafka', () => new Promise(() => {}))
    assert.deepEqual(await Promise.all([askHealth(address, ''), askHealth(address, SERVICE)]), Array(2).fill(READY))
  })
})

const READY = 'SERVING'
const UNREADY = 'NOT_SERVING'
