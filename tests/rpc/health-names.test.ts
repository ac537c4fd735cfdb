import assert from 'node:assert/strict'
import { createBudget } from '../../shared/budget/budget.ts'
import { startGrpcServer } from '../../shared/rpc/server/grpc-server.ts'
import { atEnd } from '../support/cleanup.ts'
import { testAccess } from '../support/grpc-access.ts'
import { heapMegabytes } from '../support/heap.ts'
import { askHealth, watchHealth } from '../support/plain-grpc.ts'
import { quietLogger } from '../support/quiet-logger.ts'

const UNKNOWN = { code: 5, details: 'This server knows no service of that name.' }

describe('A health check of an unknown name', () => {
  async function given(): Promise<string> {
    const options = {
      host: '127.0.0.1',
      port: 0,
      services: [],
      access: testAccess,
      budget: createBudget(),
      logger: quietLogger(),
    }
    const server = await startGrpcServer(options)
    atEnd(() => server.stop(0))
    return `127.0.0.1:${server.port}`
  }

  for (const [what, ask] of [
    ['Check', askHealth],
    ['Watch', watchHealth],
  ] as const) {
    it(`is refused by ${what}, without echoing the name`, async () => {
      const address = await given()
      for (const name of ['nobody', 'constructor', 'x'.repeat(900_000)]) {
        await assert.rejects(ask(address, name), UNKNOWN)
      }
    })
  }

  it('leaks no memory', async () => {
    const address = await given()
    const watch = (index: number) => watchHealth(address, `${index}`.padEnd(900_000, 'x')).catch(() => undefined)
    await watch(0)
    const before = heapMegabytes()
    for (let index = 1; index <= 40; index++) await watch(index)
    const grown = heapMegabytes() - before
    assert.ok(grown < 10, `the heap has grown by ${Math.round(grown)} MB`)
  })
})
