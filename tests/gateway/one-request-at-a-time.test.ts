import assert from 'node:assert/strict'
import { subscribe, unsubscribe } from 'node:diagnostics_channel'
import { once } from 'node:events'
import type { IncomingMessage } from 'node:http'
import { setImmediate as nextTurn } from 'node:timers/promises'
import { createBudget } from '../../shared/budget/budget.ts'
import { CodedError } from '../../shared/calls/errors.ts'
import type { AnsweredRequest } from '../../shared/runtime/metrics/http-metrics.ts'
import { deafConnection } from '../support/attacks.ts'
import { atEnd } from '../support/cleanup.ts'
import { startGateway, TEST_KEY } from '../support/gateway-fixture.ts'
import { beginRaw, sendRaw } from '../support/raw-http.ts'
import { waitFor } from '../support/wait-for.ts'

const AUTH = `Host: mint\r\nAuthorization: Bearer ${TEST_KEY}\r\n`
const NOT_FOUND = { contract: undefined }

describe('Pipelined requests on one connection', () => {
  /** A gateway that records which contracts are requested, and answers each when the test releases it. */
  async function recordingGateway(options: Parameters<typeof startGateway>[1] = {}) {
    const asked: number[] = []
    const answers: (() => void)[] = []
    const getContract = ({ id }: { id: number }) => {
      asked.push(Number(id))
      return new Promise((resolve) => answers.push(() => resolve(NOT_FOUND)))
    }
    const gateway = atEnd.stop(await startGateway({ contracts: { getContract } } as never, options))
    return { ...gateway, asked, answerNext: () => answers.shift()?.() }
  }

  const get = (id: number) => `GET /contracts/${id} HTTP/1.1\r\n${AUTH}\r\n`

  const chunked = `POST /contracts HTTP/1.1\r\n${AUTH}Transfer-Encoding: chunked\r\n\r\n1\r\n{\r\n`

  it('are served one at a time, in order', async () => {
    const { port, call, asked, answerNext } = await recordingGateway()
    const socket = atEnd.destroy(await beginRaw(port, get(1) + get(2) + get(3)))
    let received = ''
    socket.on('data', (text) => (received += text))
    const expected = [1, 2, 3]
    for (const id of expected) {
      await waitFor(() => asked.includes(id))
      await call('GET', '/healthz')
      assert.deepEqual(asked, expected.slice(0, id))
      answerNext()
    }
    await waitFor(() => received.match(/HTTP\/1\.1/g)?.length === 3)
  })

  it('are not served before the previous answer has been read', async () => {
    let asked = 0
    const listContracts = async () => {
      asked++
      return { contracts: [], total: 'x'.repeat(16_000_000) }
    }
    const gateway = atEnd.stop(await startGateway({ contracts: { listContracts } } as never))
    const socket = atEnd.destroy(await deafConnection(gateway.port))
    socket.write(`GET /contracts HTTP/1.1\r\n${AUTH}\r\n`.repeat(250))
    await waitFor(() => asked > 0)
    for (let index = 0; index < 50; index++) await gateway.call('GET', '/healthz')
    assert.equal(asked, 1)
    socket.resume()
    await waitFor(() => asked > 5)
  })

  it('leave no headers in memory once they are answered, even if a body is still to be discarded', async () => {
    const seen: IncomingMessage[] = []
    const note = (message: unknown) => seen.push((message as { request: IncomingMessage }).request)
    subscribe('http.server.request.start', note)
    const gateway = atEnd.stop(await startGateway({} as never))
    const headers = `${AUTH}X-Any: ${'x'.repeat(10_000)}\r\n`
    const refused = `POST /nowhere HTTP/1.1\r\n${headers}Content-Length: 100000\r\n\r\n{`
    const socket = atEnd.destroy(await beginRaw(gateway.port, `GET /healthz HTTP/1.1\r\n${headers}\r\n${refused}`))
    let received = ''
    socket.on('data', (text) => (received += text))
    await waitFor(() => /HTTP\/1\.1 200.*HTTP\/1\.1 404/s.test(received))
    unsubscribe('http.server.request.start', note)
    const keptOf = (method: string) => {
      const { headers, rawHeaders } = seen.find((request) => request.method === method) ?? {}
      return { headers, rawHeaders }
    }
    const nothing = { headers: {}, rawHeaders: [] }
    assert.deepEqual([keptOf('GET'), keptOf('POST')], [nothing, nothing])
  })

  it('are all answered even if thousands arrive at once', async () => {
    const gateway = atEnd.stop(await startGateway({} as never))
    const socket = atEnd.destroy(await beginRaw(gateway.port, `GET /healthz HTTP/1.1\r\n${AUTH}\r\n`.repeat(3_000)))
    let answers = 0
    socket.on('data', (chunk) => (answers += chunk.toString('latin1').split('HTTP/1.1 200').length - 1))
    await waitFor(() => answers >= 2_990, { what: 'the answers, some of them in two pieces' })
  })

  it('are not queued if their body is chunked: the connection closes after the request in progress', async () => {
    const { port, asked } = await recordingGateway()
    const socket = await beginRaw(port, get(1) + chunked + get(2))
    await once(socket, 'close')
    assert.deepEqual(asked, [1])
  })

  it('have their connection closed if those queued would exceed the memory share of an address', async () => {
    const { port, call, asked } = await recordingGateway({ budget: createBudget(512 * 2 ** 20) })
    const some = `${get(1)}${`GET /healthz HTTP/1.1\r\n${AUTH}\r\n`.repeat(400)}`
    const sockets = await Promise.all(Array.from({ length: 30 }, () => beginRaw(port, some)))
    for (const socket of sockets) atEnd(() => socket.destroy())
    await waitFor(() => sockets.some((socket) => socket.closed))
    assert.equal((await call('GET', '/healthz')).status, 200)
    assert.ok(asked.length > 10)
  })

  it('allow time for the answers to earlier ones if they are refused', async () => {
    const { port, asked, answerNext } = await recordingGateway()
    const socket = await beginRaw(port, get(1) + chunked)
    let received = ''
    socket.on('data', (text) => (received += text))
    await waitFor(() => asked.length === 1)
    answerNext()
    await once(socket, 'close')
    assert.match(received, /^HTTP\/1\.1 /)
  })

  it('are not served after an answer that closes the connection', async () => {
    const budget = createBudget(512 * 2 ** 20)
    const { port, asked } = await recordingGateway({ budget })
    const withoutHost = 'GET /healthz HTTP/1.1\r\n\r\n'
    const unread = `${chunked.replace('1\r\n{', `${(9_000).toString(16)}\r\n${' '.repeat(9_000)}`)}0\r\n\r\n`
    for (const first of [withoutHost, unread]) {
      const received = await sendRaw(port, first + get(1) + get(2))
      assert.match(received, /^HTTP\/1\.1 4\d\d .*connection: close/is)
    }
    assert.deepEqual(asked, [])
    await waitFor(() => budget.pools.addresses.held() === 0)
  })

  it('wait until the rate limit lets them through, after one that exceeded it', async () => {
    const getContract = async () => Promise.reject(new CodedError('not_found', 'There is nothing.'))
    const counted: number[] = []
    const countKey = () => ({ isRefused: counted.push(performance.now()) === 3, left: 0 })
    const gateway = atEnd.stop(await startGateway({ contracts: { getContract } } as never, { countKey }))
    const socket = atEnd.destroy(await beginRaw(gateway.port, get(1).repeat(5)))
    let received = ''
    socket.on('data', (text) => (received += text))
    const statuses = () => [...received.matchAll(/HTTP\/1\.1 (\d+)/g)].map(([, status]) => status)
    await waitFor(() => statuses().length === 5)
    assert.deepEqual(statuses(), ['404', '404', '429', '404', '404'])
    const [, , refused = 0, next = 0] = counted
    assert.ok(next - refused > 990, `the next request was counted after ${next - refused} ms`)
  })

  it('count towards their address’s share until the one before them is answered, even if the connection is closed', async () => {
    const budget = createBudget(512 * 2 ** 20)
    let hasLeft = false
    const onAnswered = ({ status }: AnsweredRequest) => {
      hasLeft ||= status === 'aborted'
    }
    const { port, asked, answerNext } = await recordingGateway({ budget, onAnswered })
    await beginRaw(port, get(1) + get(2).repeat(300) + chunked)
    const { addresses, keys } = budget.pools
    await waitFor(() => hasLeft)
    for (let turn = 0; turn < 10; turn++) await nextTurn()
    assert.deepEqual(asked, [1])
    assert.ok(addresses.held() > 1e6, `${addresses.held()} bytes`)
    assert.ok(keys.held() > 0)
    answerNext()
    await waitFor(() => addresses.held() === 0 && keys.held() === 0)
  })

  it('are dropped with their connection', async () => {
    const { port, asked, answerNext, call } = await recordingGateway()
    const socket = await beginRaw(port, get(1) + get(2))
    await waitFor(() => asked.length === 1)
    socket.resetAndDestroy()
    await once(socket, 'close')
    answerNext()
    await call('GET', '/healthz')
    assert.deepEqual(asked, [1])
    assert.match(await sendRaw(port, `GET /healthz HTTP/1.1\r\n${AUTH}Connection: close\r\n\r\n`), /200 OK/)
  })
})
