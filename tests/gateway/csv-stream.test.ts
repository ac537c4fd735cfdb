import assert from 'node:assert/strict'
import { request as httpRequest, type IncomingMessage } from 'node:http'
import { setImmediate as nextTurn } from 'node:timers/promises'
import type { GatewayOptions } from '../../gateway/app.ts'
import { CodedError } from '../../shared/calls/errors.ts'
import type { ListClientNamesRequest } from '../../shared/gen/mint/contracts/v1/clients.ts'
import type { Contract, ListContractsRequest } from '../../shared/gen/mint/contracts/v1/contracts.ts'
import type { AnsweredRequest } from '../../shared/runtime/metrics/http-metrics.ts'
import { atEnd } from '../support/cleanup.ts'
import { collectingLogger } from '../support/collecting-logger.ts'
import { startGateway, TEST_KEY } from '../support/gateway-fixture.ts'
import { collectGarbage } from '../support/heap.ts'
import { assertProblem } from '../support/problem-assertions.ts'
import { waitFor } from '../support/wait-for.ts'

const contract = (id: number): Contract => ({
  id,
  clientId: '11111111-1111-1111-1111-111111111111',
  serviceName: 'Annual accounts',
  serviceType: 'bookkeeping',
  serviceFee: '150',
  taxPercent: '13',
  totalFeeWithTax: '169.5',
  serviceDate: '2026-01-31',
  notes: 'n'.repeat(500),
  createdAt: 1_700_000_000_000,
  updatedAt: 1_700_000_000_000,
  version: 1,
})

describe('A CSV file', () => {
  /** A gateway over contracts `count`, …, 2, 1, which calls `before` before each page. */
  async function gatewayOver(
    count: number,
    before: (page: number) => Promise<unknown> = async () => {},
    options: Partial<Pick<GatewayOptions, 'logger' | 'onAnswered' | 'timeouts'>> = {},
  ) {
    let pages = 0
    const listContracts = async ({ limit, after = count + 1 }: ListContractsRequest) => {
      pages += 1
      await before(pages)
      const length = Math.min(limit, after - 1)
      return { contracts: Array.from({ length }, (_, index) => contract(after - 1 - index)), total: 0 }
    }
    const getContract = async ({ id }: { id: number }) => ({ contract: contract(id) })
    const listClientNames = async ({ clientIds }: ListClientNamesRequest) => ({ names: clientIds.map(() => 'Acme') })
    const services = { contracts: { listContracts, getContract }, clients: { listClientNames } }
    const gateway = await startGateway(services as never, {
      timeouts: { service: 200, stalled: 3_000 },
      ...options,
    })
    atEnd(() => gateway.stop())
    return { ...gateway, pages: () => pages }
  }

  it('of 60 MB is not buffered in memory', async () => {
    const { port } = await gatewayOver(96_000)
    let bytes = 0
    let atFirst: number | undefined
    let nextLook = 5_000_000
    for await (const chunk of await get(port)) {
      bytes += chunk.length
      if (bytes < nextLook) continue
      nextLook += 15_000_000
      collectGarbage()
      atFirst ??= memory()
      // V8 frees memory outside its heap some time after collection.
      const limit = atFirst + 30_000_000
      const isReleased = () => {
        collectGarbage()
        return memory() < limit
      }
      await waitFor(isReleased, { what: `most of the ${bytes / 1e6} MB read so far to be released` })
    }
    assert.ok(bytes > 60_000_000, `${bytes} bytes`)
  })

  it('fetches a page only after the caller has read the previous ones, and none after the caller disconnects', async () => {
    const { port, pages } = await gatewayOver(1_000_000)
    const response = await get(port)
    response.pause()
    let before = -1
    await waitFor(
      async () => {
        const last = before
        before = pages()
        for (let turn = 0; turn < 100; turn++) await nextTurn()
        return last === before
      },
      { what: 'the gateway to wait for the caller' },
    )
    assert.ok(before < 500, `${before} pages for a caller who reads nothing`)
    response.destroy()
    for (let turn = 0; turn < 100; turn++) await nextTurn()
    assert.ok(pages() <= before + 1)
  })

  it('may take longer than a service’s deadline, as long as each page arrives in time', async () => {
    const { port, pages } = await gatewayOver(800, () => new Promise((resume) => setTimeout(resume, 60)))
    assert.equal((await whole(await get(port))).trimEnd().split('\r\n').length, 801)
    assert.ok(pages() * 60 > 400)
  })

  it('takes turns with other files of its key, so that only one page is read at a time', async () => {
    let running = 0
    let peak = 0
    const { port, pages } = await gatewayOver(300, async () => {
      peak = Math.max(peak, ++running)
      for (let turn = 0; turn < 30; turn++) await nextTurn()
      running -= 1
    })
    const files = await Promise.all(Array.from({ length: 30 }, async () => whole(await get(port))))
    for (const file of files) assert.equal(file.trimEnd().split('\r\n').length, 301)
    // Pages of 4, 16, 64, 100, 100 and 16 rows, and an empty one.
    assert.equal(pages(), 30 * 7)
    assert.equal(peak, 1)
  })

  it('may queue for longer than a service’s deadline', async () => {
    // Each page takes a tenth of the deadline, and thirty are read before the last one's turn.
    const { port } = await gatewayOver(100, () => new Promise((resume) => setTimeout(resume, 20)))
    const files = await Promise.all(Array.from({ length: 30 }, async () => whole(await get(port))))
    for (const file of files) assert.equal(file.trimEnd().split('\r\n').length, 101)
  })

  it('is not blocked by one of the same key whose caller has disconnected', async () => {
    const never = new Promise<never>(() => undefined)
    const timeouts = { service: 200, stalled: 60_000 }
    const { port, pages } = await gatewayOver(1_000, async (page) => page === 2 && never, { timeouts })
    const left = await get(port)
    await waitFor(() => pages() === 2, { what: 'the page that never comes' })
    left.destroy()
    assert.equal((await whole(await get(port))).trimEnd().split('\r\n').length, 1_001)
  })

  it('is not blocked by callers who read nothing', async () => {
    const { port } = await gatewayOver(1_000_000)
    for (let count = 0; count < 5; count++) {
      atEnd.destroy(await get(port))
    }
    const file = await whole(await get(port, '/contracts.csv?after=301'))
    assert.equal(file.trimEnd().split('\r\n').length, 301)
  })

  it('lets other requests through between its pages, even if each page is ready immediately', async () => {
    const { port, pages, call } = await gatewayOver(10_000)
    const files = Array.from({ length: 5 }, async () => whole(await get(port)))
    await waitFor(() => pages() > 0, { what: 'the first page' })
    const before = pages()
    assert.equal((await call('GET', '/contracts/7')).status, 200)
    const between = pages() - before
    assert.ok(between < 20, `${between} of 500 pages were read before another request was answered`)
    for (const file of await Promise.all(files)) assert.equal(file.trimEnd().split('\r\n').length, 10_001)
  })

  it('is not logged as a failure when its caller disconnects, whatever it is waiting for', async () => {
    const { logger, lines } = collectingLogger()
    let left = 0
    const onAnswered = ({ status }: AnsweredRequest) => void (status === 'aborted' && left++)
    const never = new Promise<never>(() => undefined)
    let last = Number.POSITIVE_INFINITY
    const { port, pages } = await gatewayOver(1_000_000, async (page) => page > last && never, { logger, onAnswered })
    const answers = await Promise.all([get(port), get(port)])
    last = pages()
    for (const answer of answers) answer.resume().on('error', () => undefined)
    await waitFor(() => pages() > last, { what: 'one to wait for a page, and the other for its turn' })
    for (const answer of answers) answer.destroy()
    await waitFor(() => left === 2, { what: 'the gateway to notice' })
    for (let turn = 0; turn < 100; turn++) await nextTurn()
    assert.deepEqual(lines, [])
  })

  it('has a longer timeout than a record once it has begun', async () => {
    const slow = (page: number) => new Promise<void>((resume) => setTimeout(resume, page === 4 ? 400 : 0))
    const { port } = await gatewayOver(1_000, slow)
    assert.equal((await whole(await get(port))).trimEnd().split('\r\n').length, 1_001)
  })

  for (const [what, failure] of [
    ['fails', async () => Promise.reject(new CodedError('unavailable', 'away'))],
    ['does not arrive', () => new Promise<never>(() => undefined)],
  ] as const) {
    it(`is cut off and logged when a page ${what}, so that it can’t be mistaken for complete`, async () => {
      const logged = collectingLogger()
      const { port } = await gatewayOver(1_000, (page) => (page === 4 ? failure() : Promise.resolve()), logged)
      await assert.rejects(whole(await get(port)), { code: 'ECONNRESET' })
      await waitFor(() => logged.lines.length > 0, { what: 'a line' })
      assert.deepEqual(
        logged.lines.map(({ msg }) => msg),
        ['an answer was cut off half-way'],
      )
    })

    it(`is replaced by a problem when the first page ${what}`, async () => {
      const { call } = await gatewayOver(1_000, failure)
      assertProblem(await call('GET', '/contracts.csv'), 503, 'unavailable')
    })
  }
})

/** The memory that JavaScript holds, in bytes. */
function memory(): number {
  const { heapUsed, external } = process.memoryUsage()
  return heapUsed + external
}

function get(port: number, path = '/contracts.csv'): Promise<IncomingMessage> {
  return new Promise((resolve, reject) => {
    const headers = { authorization: `Bearer ${TEST_KEY}` }
    httpRequest({ port, path, headers }, resolve).on('error', reject).end()
  })
}

async function whole(response: IncomingMessage): Promise<string> {
  let text = ''
  for await (const chunk of response) text += chunk
  return text
}
