import assert from 'node:assert/strict'
import { setFlagsFromString } from 'node:v8'
import { runInNewContext } from 'node:vm'
import { ClientsServiceService } from '../../shared/gen/mint/contracts/v1/clients.ts'
import { grpcService } from '../../shared/rpc/server/grpc-server.ts'
import type { HealthChecks } from '../../shared/rpc/server/health.ts'
import { clientsServiceOf } from '../support/clients-service.ts'
import { grpcServer } from '../support/grpc-server.ts'
import { askHealth, watchHealth } from '../support/plain-grpc.ts'

const SERVICE = 'mint.contracts.v1.ClientsService'
const READY = 'SERVING'
const UNREADY = 'NOT_SERVING'
const UNKNOWN = { code: 5, details: 'This server knows no service of that name.' }

setFlagsFromString('--expose-gc')
const collectGarbage: () => void = runInNewContext('gc')

function heapMegabytes(): number {
  collectGarbage()
  return process.memoryUsage().heapUsed / 1024 / 1024
}

describe('The health of a gRPC server', () => {
  async function start(health?: HealthChecks): Promise<string> {
    const services = [grpcService(ClientsServiceService, clientsServiceOf({}))]
    return (await grpcServer(services, health && { health })).address
  }

  it('is reported for each dependency under its own name, checked again for every request', async () => {
    let now = async () => true
    const address = await start({ '': () => now(), kafka: async () => !(await now()) })
    const answers = () => Promise.all(['', SERVICE, 'kafka'].map((name) => askHealth(address, name)))
    assert.deepEqual(await answers(), [READY, READY, UNREADY])
    now = async () => false
    assert.deepEqual(await answers(), [UNREADY, UNREADY, READY])
    now = () => {
      throw new Error('unforeseen')
    }
    assert.deepEqual(await answers(), [UNREADY, UNREADY, UNREADY])
    now = () => Promise.reject(new Error('unforeseen'))
    assert.deepEqual(await answers(), [UNREADY, UNREADY, UNREADY])
  })

  it('is checked for a new watcher', async () => {
    const address = await start({ '': async () => false, kafka: async () => true })
    assert.equal(await watchHealth(address, 'kafka'), READY)
    assert.equal(await watchHealth(address, ''), UNREADY)
  })

  it('is reported without waiting for optional dependencies', async () => {
    const address = await start({ '': async () => true, kafka: () => new Promise(() => {}) })
    assert.deepEqual(await Promise.all([askHealth(address, ''), askHealth(address, SERVICE)]), [READY, READY])
  })

  for (const [what, ask] of [
    ['Check', askHealth],
    ['Watch', watchHealth],
  ] as const) {
    it(`is refused by ${what} for an unknown name, without echoing it`, async () => {
      const address = await start()
      for (const name of ['nobody', 'constructor', 'x'.repeat(900_000)]) {
        await assert.rejects(ask(address, name), UNKNOWN)
      }
    })
  }

  it('leaks no memory for unknown names', async () => {
    const address = await start()
    const watch = (index: number) => watchHealth(address, `${index}`.padEnd(900_000, 'x')).catch(() => undefined)
    await watch(0)
    const before = heapMegabytes()
    for (let index = 1; index <= 40; index++) await watch(index)
    const grown = heapMegabytes() - before
    assert.ok(grown < 10, `the heap has grown by ${Math.round(grown)} MB`)
  }).timeout(30_000)
})
