import assert from 'node:assert/strict'
import { once } from 'node:events'
import { connect } from 'node:net'
import { pino } from 'pino'
import type { AnsweredRequest } from '../../shared/runtime/metrics/http-metrics.ts'
import { atEnd } from '../support/cleanup.ts'
import { emptyServices } from '../support/empty-services.ts'
import { startGateway, TEST_KEY } from '../support/gateway-fixture.ts'
import { aNewContract } from '../support/rest.ts'
import { waitFor } from '../support/wait-for.ts'

describe('The gateway reports every completed request', () => {
  async function observed(level: string) {
    const answered: Omit<AnsweredRequest, 'milliseconds'>[] = []
    const times: number[] = []
    const lines: Record<string, unknown>[] = []
    const gateway = await startGateway(emptyServices, {
      logger: pino({ level }, { write: (line: string) => lines.push(JSON.parse(line)) }),
      onAnswered: ({ milliseconds, ...request }) => {
        times.push(milliseconds)
        answered.push(request)
      },
    })
    atEnd(() => gateway.stop())
    return { gateway, answered, times, lines }
  }

  it('under its route template, whatever the request and the answer', async () => {
    const { gateway, answered, times } = await observed('silent')
    const { call } = gateway
    const begun = performance.now()
    await call('GET', '/contracts/7')
    await call('PATCH', '/contracts/8', {})
    await call('POST', '/contracts', { ...aNewContract(), serviceFee: 'x' })
    await call('GET', '/contracts', undefined, { authorization: undefined })
    await call('DELETE', '/businesses/7')
    await call('GET', '/healthz')
    await call('GET', '/nowhere/7')
    await call('GET', '/%zz')
    await waitFor(() => answered.length === 8)
    assert.ok(Math.min(...times) > 0 && Math.max(...times) < performance.now() - begun, `${times} ms`)
    assert.deepEqual(answered, [
      { method: 'GET', route: '/contracts/:id', status: 404 },
      { method: 'PATCH', route: '/contracts/:id', status: 404 },
      { method: 'POST', route: '/contracts', status: 400 },
      { method: 'GET', route: '/contracts', status: 401 },
      { method: 'DELETE', route: '/businesses/:id', status: 405 },
      { method: 'GET', route: '/healthz', status: 200 },
      { method: 'GET', route: '(none)', status: 404 },
      { method: 'GET', route: '(none)', status: 400 },
    ])
  })

  it('including one whose caller disconnected', async () => {
    const { gateway, answered } = await observed('silent')
    const socket = connect(gateway.port, '127.0.0.1')
    await once(socket, 'connect')
    const headers = [`Authorization: Bearer ${TEST_KEY}`, 'Content-Type: application/json', 'Content-Length: 100']
    socket.write(`POST /contracts HTTP/1.1\r\nHost: x\r\n${headers.join('\r\n')}\r\n\r\n{`, () => socket.destroy())
    await waitFor(() => answered.length === 1)
    assert.deepEqual(answered, [{ method: 'POST', route: '/contracts', status: 'aborted' }])
  })

  it('in the log at level debug only, with its id and the code of its problem', async () => {
    for (const level of ['debug', 'info']) {
      const { gateway, answered, lines } = await observed(level)
      await gateway.call('GET', '/contracts/7', undefined, { 'x-request-id': 'request-7' })
      await waitFor(() => answered.length === 1)
      const { requestId, method, path, status, code } = lines[0] ?? {}
      const expected = { requestId: 'request-7', method: 'GET', path: '/contracts/7', status: 404, code: 'not_found' }
      if (level === 'debug') assert.deepEqual({ requestId, method, path, status, code }, expected)
      assert.equal(lines.length, level === 'debug' ? 1 : 0)
    }
  })
})
