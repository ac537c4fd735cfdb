import assert from 'node:assert/strict'
import { once } from 'node:events'
import { Agent, type IncomingMessage, request } from 'node:http'
import { connect, type Socket } from 'node:net'
import { atEnd } from '../support/cleanup.ts'
import { startGateway, TEST_KEY } from '../support/gateway-fixture.ts'
import { heapMegabytes } from '../support/heap.ts'
import { beginRaw } from '../support/raw-http.ts'
import { waitFor } from '../support/wait-for.ts'

const MAX = 20
const UNKNOWN_FIELDS = Array.from({ length: 8_000 }, (_, index) => `"${index}":1`).join()
const A_GET = `GET /contracts/7 HTTP/1.1\r\nHost: mint\r\nAuthorization: Bearer ${TEST_KEY}\r\n\r\n`

function aPatch(body: string, length = body.length): string {
  const lines = ['Host: mint', `Authorization: Bearer ${TEST_KEY}`, 'Content-Type: application/json']
  const expect = body.length < length ? ['Expect: 100-continue'] : []
  return `${['PATCH /contracts/7 HTTP/1.1', ...lines, `Content-Length: ${length}`, ...expect].join('\r\n')}\r\n\r\n${body}`
}

describe('The connections of a gateway', () => {
  async function started(options: Parameters<typeof startGateway>[1]) {
    let served = 0
    const never = () => new Promise(() => served++)
    const services = { contracts: { getContract: never, editContract: never } }
    const gateway = atEnd.stop(await startGateway(services as never, options))
    return { ...gateway, served: () => served }
  }

  async function silent(port: number): Promise<Socket> {
    const socket = connect(port, '127.0.0.1').resume()
    socket.on('error', () => undefined)
    atEnd(() => socket.destroy())
    await once(socket, 'connect')
    return socket
  }

  it('never exceed the limit: a new one replaces the oldest idle one, never one in use', async () => {
    const gateway = await started({ maxConnections: MAX })
    const { port, call } = gateway
    const served = atEnd.destroy(await beginRaw(port, A_GET))
    await waitFor(() => gateway.served() === 1)
    const idle: Socket[] = []
    for (let index = 0; index < 2 * MAX; index++) idle.push(await silent(port))
    assert.equal((await call('GET', '/readyz')).status, 200)
    // One is in use, and one belongs to the call.
    const isOpen = (socket: Socket) => !socket.closed
    await waitFor(() => idle.filter(isOpen).length === MAX - 2)
    assert.deepEqual(idle.map(isOpen), [...Array(MAX + 2).fill(false), ...Array(MAX - 2).fill(true)])
    assert.ok(isOpen(served))
  })

  it('keep nothing of a refused request while they stay open', async () => {
    const { port } = await started({})
    const refuse = async (): Promise<void> => {
      const socket = atEnd.destroy(await beginRaw(port, aPatch(`{${UNKNOWN_FIELDS}}`)))
      await once(socket, 'data')
    }
    await refuse()
    const before = heapMegabytes()
    for (let index = 0; index < 30; index++) await refuse()
    const megabytes = heapMegabytes() - before
    assert.ok(megabytes < 5, `${megabytes} MB more`)
  })

  it('are refused when a write is being carried out on each', async () => {
    const gateway = await started({ maxConnections: 3, timeouts: { service: 60_000 } })
    const { port } = gateway
    const served = await Promise.all([1, 2, 3].map(() => beginRaw(port, aPatch('{"notes":"n"}'))))
    for (const socket of served) atEnd(() => socket.destroy())
    await waitFor(() => gateway.served() === 3)
    const fourth = await silent(port)
    await once(fourth, 'close')
    assert.deepEqual(
      served.map((socket) => socket.closed),
      [false, false, false],
    )
  })

  it('of a caller with a key stay open while callers without one open more and more', async () => {
    const { port } = await started({ maxConnections: MAX })
    const agent = atEnd.destroy(new Agent({ keepAlive: true, maxSockets: 1 }))
    const ask = async (): Promise<Socket> => {
      const headers = { authorization: `Bearer ${TEST_KEY}` }
      const [answer] = await once(
        request({ port, host: '127.0.0.1', path: '/api-keys/current', agent, headers }).end(),
        'response',
      )
      await once(answer.resume(), 'end')
      return answer.socket
    }
    const polite = await ask()
    const silents: Socket[] = []
    for (let index = 0; index < 2 * MAX; index++) silents.push(await silent(port))
    await waitFor(() => silents.filter(({ closed }) => !closed).length === MAX - 1)
    assert.equal(await ask(), polite)
  })

  it('of a key that takes nearly all are replaced, the longest in use first, however many idle ones it opens', async () => {
    const gateway = await started({ maxConnections: MAX, timeouts: { service: 60_000 } })
    const { port } = gateway
    const used: Socket[] = []
    for (let index = 0; index < MAX - 1; index++) {
      used.push(atEnd.destroy(await beginRaw(port, A_GET)))
      await waitFor(() => gateway.served() === index + 1)
    }
    const polite = await silent(port)
    for (let index = 0; index < 3; index++) await silent(port)
    await waitFor(() => used.filter(({ closed }) => closed).length === 3)
    assert.deepEqual(
      used.slice(0, 3).map(({ closed }) => closed),
      [true, true, true],
    )
    assert.equal(polite.closed, false)
  })

  it('are replaced while they wait for a body from a key that takes nearly all', async () => {
    const { port, call } = await started({ maxConnections: 3 })
    const sockets = await Promise.all([1, 2, 3].map(() => beginRaw(port, aPatch('', 9))))
    for (const socket of sockets) atEnd(() => socket.destroy())
    for (const socket of sockets) assert.match(String(await once(socket, 'data')), /^HTTP\/1.1 100 /)
    assert.equal((await call('GET', '/healthz')).status, 200)
    await waitFor(() => sockets.filter(({ closed }) => closed).length === 1)
  })

  it('are replaced while they wait for a body from a caller without a key', async () => {
    const { port, call } = await started({ maxConnections: 3 })
    const lines = ['Host: mint', 'Content-Type: application/json', 'Content-Length: 9', 'Expect: 100-continue']
    const head = `POST /sign-in HTTP/1.1\r\n${lines.join('\r\n')}\r\n\r\n`
    const sockets = await Promise.all([1, 2, 3].map(() => beginRaw(port, head)))
    for (const socket of sockets) atEnd(() => socket.destroy())
    // The gateway waits for the body now.
    for (const socket of sockets) assert.match(String(await once(socket, 'data')), /^HTTP\/1.1 100 /)
    assert.equal((await call('GET', '/api-keys/current')).status, 200)
    await waitFor(() => sockets.filter(({ closed }) => closed).length === 1)
  })

  it('are replaced while a caller without a key takes nothing of an answer', async () => {
    let answered = 0
    const { port, call } = await started({ maxConnections: 3, onAnswered: () => answered++ })
    const head = 'GET /docs/swagger-ui-bundle.js HTTP/1.1\r\nHost: localhost\r\n\r\n'
    // Buffers of the system take some of these answers.
    const sockets = await Promise.all([1, 2, 3].map(() => beginRaw(port, head.repeat(20))))
    for (const socket of sockets) atEnd(() => socket.destroy())
    for (const socket of sockets) await once(socket, 'readable')
    let before = -1
    const isStuck = (): boolean => {
      const last = before
      before = answered
      return last === before
    }
    await waitFor(isStuck, { what: 'all connections to be in use', every: 500 })
    assert.ok(answered < 60, `${answered} answers were taken`)
    assert.equal((await call('GET', '/api-keys/current')).status, 200)
  })

  it('stay open between requests for longer than load balancers’ 60 s and the time limit for headers', async () => {
    const { port } = await started({ timeouts: { headers: 100 } })
    const agent = atEnd.destroy(new Agent({ keepAlive: true, maxSockets: 1 }))
    const ask = async (): Promise<{ answer: IncomingMessage; socket: Socket }> => {
      const sent = request({ port, host: '127.0.0.1', path: '/healthz', agent }).end()
      const [answer] = (await once(sent, 'response')) as [IncomingMessage]
      const { socket } = answer
      await once(answer.resume(), 'end')
      return { answer, socket }
    }
    const first = await ask()
    assert.equal(first.answer.headers['keep-alive'], 'timeout=75')
    // A silent connection is closed after the time limit for headers; by then the other one has been idle as long.
    await once(await silent(port), 'close')
    assert.equal((await ask()).socket, first.socket)
  })
})
