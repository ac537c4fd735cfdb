import assert from 'node:assert/strict'
import { once } from 'node:events'
import type { Socket } from 'node:net'
import type { GatewayOptions } from '../../gateway/app.ts'
import { configuredKey } from '../../shared/api-keys/serving/accepted-keys.ts'
import { createBudget } from '../../shared/budget/budget.ts'
import { deafConnection } from '../support/attacks.ts'
import { atEnd } from '../support/cleanup.ts'
import { startGateway, TEST_KEY } from '../support/gateway-fixture.ts'
import { staticApiKeys } from '../support/static-api-keys.ts'
import { waitFor } from '../support/wait-for.ts'

const MEGABYTES = 12
const A_LIST = `GET /contracts HTTP/1.1\r\nHost: mint\r\nAuthorization: Bearer ${TEST_KEY}\r\nConnection: close\r\n\r\n`
const A_FILE = A_LIST.replace('/contracts', '/contracts.csv')

describe('An answer to a slow reader', () => {
  async function started(stalled: number, options: Partial<Pick<GatewayOptions, 'apiKeys' | 'budget'>> = {}) {
    const answered: (number | 'aborted')[] = []
    const listContracts = async () => ({ contracts: [], total: 'x'.repeat(MEGABYTES * 1_000_000) })
    const gateway = await startGateway({ contracts: { listContracts } } as never, {
      ...options,
      timeouts: { stalled },
      onAnswered: ({ route, status }) => route === '/contracts' && answered.push(status),
    })
    atEnd(() => gateway.stop())
    return { ...gateway, answered }
  }

  async function asking(port: number, request = A_LIST): Promise<Socket> {
    const socket = atEnd.destroy(await deafConnection(port))
    socket.write(request)
    return socket
  }

  it('is cut off and its connection closed if nothing is read in time', async () => {
    const { port, answered } = await started(100)
    await asking(port)
    await waitFor(() => answered.length === 1)
    assert.deepEqual(answered, ['aborted'])
  })

  it('continues for as long as the caller keeps reading', async () => {
    const { port, answered } = await started(1_500)
    const socket = await asking(port)
    const begun = performance.now()
    let bytes = 0
    socket.on('data', (chunk) => {
      bytes += chunk.length
      const due = begun + (bytes / 1_000_000) * 200
      socket.pause()
      waitFor(() => performance.now() >= due).finally(() => socket.resume())
    })
    socket.resume()
    await once(socket, 'close')
    assert.ok(bytes > MEGABYTES * 1_000_000)
    assert.ok(performance.now() - begun > 1_500, 'longer than without a byte')
    assert.deepEqual(answered, [200])
  })

  it('delays the same key’s next ones when it holds the key’s whole share, but no other key’s', async () => {
    const other = 'mint_of-somebody-else-entirely'
    const apiKeys = staticApiKeys([configuredKey(TEST_KEY), configuredKey(other)])
    const budget = createBudget(512 * 2 ** 20)
    const { port, answered } = await started(60_000, { apiKeys, budget })
    for (let asked = 0; asked < 20; asked++) await asking(port)
    await waitFor(() => answered.length > 5)
    assert.deepEqual(new Set(answered), new Set([429]))
    assert.ok(answered.length < 20, 'some wait for their caller to take them')
    assert.ok(budget.pools.keys.held() <= 64 * 2 ** 20)
    const headers = { authorization: `Bearer ${other}` }
    const answer = await fetch(`http://127.0.0.1:${port}/contracts`, { headers })
    assert.equal(answer.status, 200)
    assert.ok((await answer.text()).length > MEGABYTES * 1_000_000)
  })

  it('is cut off, oldest first, when a key that holds less needs the memory', async () => {
    const keys = ['a', 'b', 'c'].map((name) => `mint_${name.repeat(20)}`)
    const apiKeys = staticApiKeys(keys.map((key) => configuredKey(key)))
    const { port, answered } = await started(60_000, { apiKeys, budget: createBudget(512 * 2 ** 20) })
    const ask = (key = '') => asking(port, A_LIST.replace(TEST_KEY, key))
    for (const key of keys.slice(0, 2)) for (let asked = 0; asked < 5; asked++) await ask(key)
    await waitFor(() => answered.length > 0)
    const socket = await ask(keys[2])
    socket.resume()
    await once(socket, 'close')
    // The second key may already have needed what the first one held.
    assert.ok(answered.includes('aborted') && answered.includes(200), answered.join())
  })

  it('is cut off in the same way if it is streamed', async () => {
    const endless = async () => ({ contracts: Array.from({ length: 100 }, () => A_CONTRACT), total: 100 })
    const cut: unknown[] = []
    const clients = { listClientNames: async () => ({ names: ['Acme'] }) }
    const gateway = await startGateway({ contracts: { listContracts: endless }, clients } as never, {
      timeouts: { stalled: 100 },
      onAnswered: ({ status }) => cut.push(status),
    })
    atEnd(() => gateway.stop())
    await asking(gateway.port, A_FILE)
    await waitFor(() => cut.length === 1)
    assert.deepEqual(cut, ['aborted'])
  })
})

const A_CONTRACT = {
  id: 7,
  clientId: '11111111-1111-1111-1111-111111111111',
  serviceName: 'x'.repeat(200),
  serviceType: 'x',
  serviceDate: '2026-01-31',
  serviceFee: '1',
  taxPercent: '0',
  totalFeeWithTax: '1',
  notes: 'x'.repeat(10_000),
  createdAt: new Date(0),
  updatedAt: new Date(0),
  version: 1,
}
