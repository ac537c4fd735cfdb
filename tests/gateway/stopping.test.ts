import assert from 'node:assert/strict'
import { once } from 'node:events'
import { connect } from 'node:net'
import { deafConnection } from '../support/attacks.ts'
import { startGateway, TEST_KEY } from '../support/gateway-fixture.ts'
import { beginRaw } from '../support/raw-http.ts'
import { waitFor } from '../support/wait-for.ts'

const AUTH = `Host: mint\r\nAuthorization: Bearer ${TEST_KEY}\r\n`
const MEGABYTES = 12

describe('A gateway that is stopping', () => {
  async function started() {
    const answers: (() => void)[] = []
    const getContract = () => new Promise((resolve) => answers.push(() => resolve({ contract: undefined })))
    const listContracts = async () => ({ contracts: [], total: 'x'.repeat(MEGABYTES * 1_000_000) })
    const gateway = await startGateway({ contracts: { getContract, listContracts } } as never)
    const isRefused = async (): Promise<boolean> => {
      const socket = connect(gateway.port, '127.0.0.1')
      const refused = new Promise<boolean>((resolve) => {
        socket.once('connect', () => resolve(false)).once('error', () => resolve(true))
      })
      return refused.finally(() => socket.destroy())
    }
    return { ...gateway, answers, isRefused }
  }

  it('reports it at /readyz and keeps serving for a while, closing each connection after one answer', async () => {
    const { call, drain, isRefused } = await started()
    const before = await call('GET', '/readyz')
    assert.deepEqual([before.status, before.headers.get('connection')], [200, 'keep-alive'])
    const stopped = drain(2_000)
    const ready = await call('GET', '/readyz')
    assert.deepEqual([ready.status, ready.body], [503, { status: 'not ready', missing: ['gateway'] }])
    const healthy = await call('GET', '/healthz')
    assert.deepEqual([healthy.status, healthy.headers.get('connection')], [200, 'close'])
    await stopped
    assert.ok(await isRefused())
  })

  it('answers requests in progress, including pipelined ones, and announces that the connection will close', async () => {
    const { port, answers, drain } = await started()
    const get = `GET /contracts/7 HTTP/1.1\r\n${AUTH}\r\n`
    const socket = await beginRaw(port, get + get)
    let received = ''
    socket.setEncoding('latin1').on('data', (text) => (received += text))
    await waitFor(() => answers.length === 1)
    const stopped = drain(0)
    answers.shift()?.()
    await waitFor(() => answers.length === 1)
    answers.shift()?.()
    await Promise.all([stopped, once(socket, 'close')])
    const connections = received.match(/^connection: .*$/gim)
    assert.deepEqual(connections, ['Connection: keep-alive', 'Connection: close'])
  })

  it('completes an answer in progress to the last byte', async () => {
    const { port, drain } = await started()
    const socket = await deafConnection(port)
    socket.write(`GET /contracts HTTP/1.1\r\n${AUTH}\r\n`)
    await once(socket, 'readable')
    const stopped = drain(0)
    let bytes = 0
    socket.on('data', (chunk) => (bytes += chunk.length))
    socket.resume()
    await Promise.all([stopped, once(socket, 'close')])
    assert.ok(bytes > MEGABYTES * 1_000_000, `${bytes} bytes`)
  })
})
