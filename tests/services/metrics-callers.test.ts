import assert from 'node:assert/strict'
import { once } from 'node:events'
import { connect } from 'node:net'
import { createBudget } from '../../shared/budget/budget.ts'
import { createMetrics } from '../../shared/runtime/metrics/metrics.ts'
import { startMetricsServer } from '../../shared/runtime/metrics/server.ts'
import { attackWith } from '../support/attacks.ts'
import { atEnd } from '../support/cleanup.ts'
import { quietLogger } from '../support/quiet-logger.ts'
import { sendRaw } from '../support/raw-http.ts'
import { waitFor } from '../support/wait-for.ts'

const REQUEST = 'GET /metrics HTTP/1.1\r\nHost: 127.0.0.1\r\n\r\n'
/** More than the socket buffers at both ends hold. */
const LARGE = 12_000_000

describe('Callers of /metrics', () => {
  async function serving({ bytes = 0, stalledMilliseconds = 20_000 } = {}) {
    const logger = quietLogger()
    const metrics = createMetrics(logger)
    let reads = 0
    const help = `Counts readings.${'x'.repeat(bytes)}`
    metrics.gauge({ name: 'mint_test_reads', help, labels: {} }, async () => ++reads)
    const budget = createBudget(2 ** 30)
    const options = { metrics, host: '0.0.0.0', port: 0, budget, logger, stalledMilliseconds }
    const allowedHosts = ['mint.firm.example']
    const server = atEnd.stop(await startMetricsServer({ ...options, allowedHosts }))
    return { port: server.port, reads: () => reads, budget, held: budget.pools.addresses.held }
  }

  async function attack(port: number, connections: number, bytes: string) {
    const sockets = await attackWith(port, connections, bytes)
    atEnd(() => {
      for (const socket of sockets) socket.destroy()
    })
    return sockets
  }

  /** The status that a caller from one of this machine's addresses gets, without reading the rest. */
  async function statusFrom(localAddress: string, port: number): Promise<string> {
    const socket = atEnd.destroy(connect({ host: '127.0.0.1', port, localAddress }))
    socket.write(REQUEST)
    await once(socket, 'readable')
    return String(socket.read(12))
  }

  it('get one answer per connection, whatever they send after the request', async () => {
    const { port, reads } = await serving()
    const received = await sendRaw(port, REQUEST.repeat(2_000))
    assert.match(received, /^HTTP\/1.1 200 .*\r\nConnection: close\r\n.*mint_test_reads/s)
    assert.deepEqual([received.match(/HTTP\/1\.1/g)?.length, reads()], [1, 1])
  })

  it('are served under an IP address, a local or a configured name, and not under another, which may be anybody’s', async () => {
    const { port } = await serving()
    for (const [hosts, status] of [
      [['10.1.2.3:9464', '[::1]:9464', 'localhost:9464', 'contracts:9464', 'Mint.Firm.example:1'], '200'],
      [['evil.example', '127.0.0.1.evil.example:9464', 'mint.firm.example.evil.example'], '421'],
    ] as const) {
      for (const host of hosts) {
        const received = await sendRaw(port, REQUEST.replace('127.0.0.1', host))
        assert.deepEqual(
          [received.slice(9, 12), received.includes('mint_test_reads')],
          [status, status === '200'],
          host,
        )
      }
    }
    assert.match(await sendRaw(port, 'GET /metrics HTTP/1.0\r\n\r\n'), /^HTTP\/1\.1 200 /)
  })

  it('get no answer to CONNECT, and a 400 to anything that is not HTTP', async () => {
    const { port, reads } = await serving()
    assert.equal(await sendRaw(port, 'CONNECT mint:80 HTTP/1.1\r\nHost: mint\r\n\r\n'), '')
    assert.match(await sendRaw(port, 'hello\r\n\r\n'), /^HTTP\/1.1 400 /)
    assert.equal(reads(), 0)
  })

  it('hold 64 connections at most: a new one displaces the oldest', async () => {
    const { port } = await serving()
    const silent = await attack(port, 80, '')
    // Only a socket that is being read notices that it was closed.
    for (const socket of silent) socket.resume()
    await waitFor(() => silent.filter(({ closed }) => closed).length === 16, { what: 'the oldest to be closed' })
    assert.match(await sendRaw(port, REQUEST), /^HTTP\/1.1 200 /)
    assert.deepEqual([silent[16]?.closed, silent[17]?.closed], [true, false])
  })

  it('are disconnected if they read nothing of an answer, and their memory is released', async () => {
    const { port, held } = await serving({ bytes: LARGE, stalledMilliseconds: 200 })
    await attack(port, 1, REQUEST)
    await waitFor(() => held() > 0, { what: 'the answer to be charged' })
    await waitFor(() => held() === 0, { what: 'the connection to be cut' })
  })

  it('are refused while their address uses up its share of memory, unlike callers at other addresses', async () => {
    const { port, budget } = await serving({ bytes: 1_000 })
    assert.ok(budget.ofAddress('127.0.0.1').take(2 ** 30))
    assert.equal(await statusFrom('127.0.0.1', port), 'HTTP/1.1 503')
    assert.equal(await statusFrom('127.0.0.2', port), 'HTTP/1.1 200')
  })
})
