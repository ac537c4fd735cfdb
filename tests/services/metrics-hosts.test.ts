import assert from 'node:assert/strict'
import { createBudget } from '../../shared/budget/budget.ts'
import { createMetrics } from '../../shared/runtime/metrics/metrics.ts'
import { startMetricsServer } from '../../shared/runtime/metrics/server.ts'
import { atEnd } from '../support/cleanup.ts'
import { quietLogger } from '../support/quiet-logger.ts'
import { sendRaw } from '../support/raw-http.ts'

describe('Metrics requested with a Host header', () => {
  async function statusFor(host: string | undefined): Promise<string> {
    const logger = quietLogger()
    const options = { metrics: createMetrics(logger), host: '127.0.0.1', port: 0, budget: createBudget(), logger }
    const server = atEnd.stop(await startMetricsServer({ ...options, allowedHosts: ['mint.firm.example'] }))
    const lines = host === undefined ? ['GET /metrics HTTP/1.0'] : ['GET /metrics HTTP/1.1', `Host: ${host}`]
    const answer = await sendRaw(server.port, [...lines, 'Connection: close', '\r\n'].join('\r\n'))
    assert.equal(answer.includes('process_cpu'), answer.startsWith('HTTP/1.1 200'))
    return answer.slice(9, 12)
  }

  it('are served for an IP address, a local name and the configured names', async () => {
    const hosts = [
      '127.0.0.1',
      '10.1.2.3:9464',
      '[::1]:9464',
      '[::ffff:127.0.0.1]:9464',
      'localhost:9464',
      'contracts:9464',
      'Mint.Firm.example:1',
    ]
    for (const host of [...hosts, undefined]) assert.equal(await statusFor(host), '200', host)
  })

  it('are refused for an internet name, which anybody could point to this host', async () => {
    for (const host of [
      'evil.example',
      'evil.example:9464',
      '127.0.0.1.evil.example',
      'mint.firm.example.evil.example',
    ]) {
      assert.equal(await statusFor(host), '421', host)
    }
  })
})
