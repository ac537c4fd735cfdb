import assert from 'node:assert/strict'
import { once } from 'node:events'
import { mock } from 'node:test'
import { setImmediate as turn } from 'node:timers/promises'
import type { ServiceDefinition } from '@grpc/grpc-js'
import { configuredKey } from '../../shared/api-keys/serving/accepted-keys.ts'
import { createBudget } from '../../shared/budget/budget.ts'
import { ContractsServiceService } from '../../shared/gen/mint/contracts/v1/contracts.ts'
import { ReportsServiceService } from '../../shared/gen/mint/contracts/v1/reports.ts'
import type { GrpcService } from '../../shared/rpc/server/grpc-server.ts'
import { TEST_KEY, testAccess, withKey } from '../support/grpc-access.ts'
import { grpcCall } from '../support/grpc-call.ts'
import { grpcServer } from '../support/grpc-server.ts'
import { EMPTY_MESSAGE, http2Connection, openCall } from '../support/raw-grpc.ts'
import { staticApiKeys } from '../support/static-api-keys.ts'
import { waitFor } from '../support/wait-for.ts'

const OTHER_KEY = 'mint_another-key-for-the-suite'
const apiKeys = staticApiKeys([configuredKey(TEST_KEY), configuredKey(OTHER_KEY)])
/** For a container of 512 MB: the bytes that a key may hold, and all keys together. */
const [SHARE, POOL] = [64 * 2 ** 20, 96 * 2 ** 20]
const STREAM_BYTES = 64 * 1024

describe('A call in progress over gRPC', () => {
  /** A server whose methods answer once they are released. */
  async function given(definition: ServiceDefinition, answer: object) {
    const held: (() => void)[] = []
    const hold = () => new Promise<object>((resolve) => held.push(() => resolve(answer)))
    const implementation = Object.fromEntries(Object.keys(definition).map((name) => [name, hold]))
    const services = [{ definition, implementation } as GrpcService]
    const access = { ...testAccess, apiKeys }
    const budget = createBudget(512 * 2 ** 20)
    const { address } = await grpcServer(services, { access, budget })
    return { address, held, budget }
  }

  it('that writes completes even if others need the memory, while one that reads is ended', async () => {
    const { createContract: create, getContract: get } = ContractsServiceService
    const { address, held, budget } = await given({ createContract: create, getContract: get }, {})
    const write = grpcCall(address, create.path, withKey())
    await waitFor(() => held.length === 1, { what: 'the write' })
    const read = grpcCall(address, get.path, withKey())
    await waitFor(() => held.length === 2, { what: 'the read' })
    // The rest of the share and of the pool, none of which can be reclaimed.
    const { keys } = budget.pools
    assert.ok(budget.ofKey(configuredKey(TEST_KEY).id).take(SHARE - keys.held()))
    budget.ofKey('a third').take(POOL - SHARE - 3 * STREAM_BYTES)
    for (let count = 0; count < 4; count++) void grpcCall(address, get.path, withKey(OTHER_KEY))
    assert.equal((await read).code, 'RESOURCE_EXHAUSTED')
    for (const release of held) release()
    assert.equal((await write).code, 'OK')
  })

  it('is answered on a connection that is closing, even if that is due for a ping meanwhile', async () => {
    const { createContract: create } = ContractsServiceService
    const { address, held } = await given({ createContract: create }, {})
    mock.timers.enable({ apis: ['setTimeout'] })
    try {
      const session = await http2Connection(address)
      const call = openCall(session, create.path, withKey()).end(EMPTY_MESSAGE)
      const ended = once(call.resume(), 'close')
      let status: unknown
      call.on('trailers', (trailers) => {
        status = trailers['grpc-status']
      })
      while (held.length === 0) await turn()
      const closing = once(session, 'goaway')
      session.close()
      await closing
      // When the server pings, and when it gives up waiting for the answer.
      for (const milliseconds of [10_000, 3_000]) {
        mock.timers.tick(milliseconds)
        await turn()
      }
      held[0]?.()
      await ended
      assert.equal(status, '0')
    } finally {
      mock.timers.reset()
    }
  })

  it('that computes a report runs alongside only a few others of its key, so that there is room for another key’s', async () => {
    const { reportContracts: report } = ReportsServiceService
    const { address, held } = await given({ reportContracts: report }, { asOf: 0, rows: [], total: 0 })
    const many = Array.from({ length: 48 }, () => grpcCall(address, report.path, withKey()))
    await waitFor(() => held.length === 3, { what: 'the reports that there is room for' })
    const other = grpcCall(address, report.path, withKey(OTHER_KEY))
    await waitFor(() => held.length === 4, { what: 'the report of the other key' })
    held[3]?.()
    assert.equal((await other).code, 'OK')
    await waitFor(
      () => {
        for (const release of held) release()
        return held.length === 49
      },
      { what: 'the others in turn' },
    )
    assert.ok((await Promise.all(many)).every(({ code }) => code === 'OK'))
  })
})
