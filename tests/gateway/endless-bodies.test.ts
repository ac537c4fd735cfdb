import assert from 'node:assert/strict'
import { once } from 'node:events'
import { configuredKey } from '../../shared/api-keys/serving/accepted-keys.ts'
import { createBudget } from '../../shared/budget/budget.ts'
import { CodedError } from '../../shared/calls/errors.ts'
import type { AnsweredRequest } from '../../shared/runtime/metrics/http-metrics.ts'
import { sendEndlessly } from '../support/attacks.ts'
import { atEnd } from '../support/cleanup.ts'
import { collectingLogger } from '../support/collecting-logger.ts'
import { emptyServices } from '../support/empty-services.ts'
import { startGateway, TEST_KEY } from '../support/gateway-fixture.ts'
import { assertProblem } from '../support/problem-assertions.ts'
import { beginRaw, callRaw, sendRaw } from '../support/raw-http.ts'
import { aNewContract } from '../support/rest.ts'
import { staticApiKeys } from '../support/static-api-keys.ts'
import { waitFor } from '../support/wait-for.ts'

/** More than the socket buffers at both ends hold; read at full speed, it takes a fraction of a second. */
const MAX_SENT = 40_000_000
const CHUNK = `${(60_000).toString(16)}\r\n${' '.repeat(60_000)}\r\n`
const KEY = `Authorization: Bearer ${TEST_KEY}\r\n`
const JSON_TYPE = 'Content-Type: application/json\r\n'
const CSV_TYPE = 'Content-Type: text/csv\r\nIdempotency-Key: endless\r\n'

describe('An endless body', () => {
  const started = async (options = {}) => atEnd.stop(await startGateway(emptyServices, options))

  const chunked = (first: string, headers = '') =>
    `${first} HTTP/1.1\r\nHost: mint\r\n${headers}Transfer-Encoding: chunked\r\n\r\n`

  const bodies = [
    ['a public path', chunked('GET /docs'), 200],
    ['/healthz', chunked('GET /healthz'), 200],
    ['an unknown path', chunked('POST /nowhere'), 404],
    ['an unsupported method', chunked('DELETE /contracts'), 405],
    ['a request without a key', chunked('POST /contracts'), 401],
    ['a read', chunked('GET /contracts', KEY), 200],
    ['an export', chunked('GET /contracts.csv', KEY), 200],
    ['a wrong media type', chunked('POST /contracts', KEY), 415],
    ['a write', chunked('POST /contracts', KEY + JSON_TYPE), 413],
    ['a CSV file', chunked('POST /contracts.csv', KEY + CSV_TYPE), 413],
    ['a CSV file without a key', chunked('POST /contracts.csv', CSV_TYPE), 401],
    ['a declared length', 'POST /contracts HTTP/1.1\r\nHost: mint\r\nContent-Length: 9000000000000\r\n\r\n', 401],
    ['an unknown expectation', chunked('POST /contracts', 'Expect: miracles\r\n'), 401],
    ['a caller that did not wait for 100 Continue', chunked('POST /contracts', 'Expect: 100-continue\r\n'), 401],
  ] as const
  // Each takes as long as a caller has to read the answer.
  let sent: ReturnType<typeof sendEndlessly>[]
  before(async () => {
    const gateway = await startGateway(emptyServices)
    sent = bodies.map(([_, head]) => sendEndlessly(gateway.port, head, CHUNK))
    await Promise.all(sent)
    await gateway.stop()
  })
  for (const [index, [what, _, status]] of bodies.entries()) {
    it(`of ${what} is answered ${status} and not read`, async () => {
      const { sent: bytes = 0, received } = (await sent[index]) ?? {}
      assert.match(received ?? '', new RegExp(`^HTTP/1.1 ${status} `))
      assert.match(received ?? '', /^connection: close\r$/im)
      assert.ok(bytes < MAX_SENT, `${bytes} bytes were taken`)
    })
  }

  it('from a caller over the rate limit is answered 429 and not read', async () => {
    const { port } = await started({ publicRateLimitPerSecond: 1 })
    const answers = await Promise.all([1, 2, 3].map(() => sendEndlessly(port, chunked('GET /docs'), CHUNK)))
    assert.ok(answers.some(({ received }) => received.startsWith('HTTP/1.1 429 ')))
    for (const { sent } of answers) assert.ok(sent < MAX_SENT, `${sent} bytes were taken`)
  })

  for (const [what, head, pieces] of [
    ['JSON', chunked('POST /contracts', KEY + JSON_TYPE), '5,204'],
    ['CSV', chunked('POST /contracts.csv', KEY + CSV_TYPE), '25,000'],
  ] as const) {
    it(`of ${what} in one-byte chunks is refused long before it reaches the size limit`, async () => {
      const { port } = await started()
      const { received } = await sendEndlessly(port, head, '1\r\n \r\n'.repeat(500))
      assert.match(received, /^HTTP\/1.1 413 /)
      assert.match(received, new RegExp(`more than ${pieces} pieces`))
    })
  }

  it('of CSV takes up its key’s share: the key’s other files wait, and those of other keys are accepted', async () => {
    const { logger, lines } = collectingLogger()
    const other = 'mint_of-somebody-else-entirely'
    const apiKeys = staticApiKeys([configuredKey(TEST_KEY), configuredKey(other)])
    const budget = createBudget(512 * 2 ** 20)
    const { port } = await started({ logger, apiKeys, budget, timeouts: { body: 2_000 } })
    const declared = `POST /contracts.csv HTTP/1.1\r\nHost: mint\r\n${KEY}${CSV_TYPE}Content-Length: 9000000\r\n\r\nx`
    const begun = await Promise.all(Array.from({ length: 35 }, () => beginRaw(port, declared)))
    atEnd(() => begun.map((socket) => socket.destroy()))
    const answers = begun.map(async (socket) => String(await once(socket, 'data')).split('\r\n', 1)[0])
    await waitFor(() => budget.pools.keys.held() >= 45_000_000, { what: 'a file that is received' })
    const whole = `POST /businesses.csv HTTP/1.1\r\nHost: mint\r\nConnection: close\r\n${CSV_TYPE}Content-Length: 1\r\n`
    const send = (key: string) => callRaw(port, `${whole}Authorization: Bearer ${key}\r\n\r\nx`)
    assertProblem(await send(other), 400, 'validation_failed')
    const expected = ['HTTP/1.1 408 Request Timeout', 'HTTP/1.1 429 Too Many Requests']
    assert.deepEqual([...new Set(await Promise.all(answers))].sort(), expected)
    assert.deepEqual(lines, [])
    assertProblem(await send(TEST_KEY), 400, 'validation_failed')
  })

  it('of CSV counts towards its key’s share until its import is over, even if its caller has disconnected', async () => {
    const budget = createBudget(512 * 2 ** 20)
    const importing = Promise.withResolvers<never>()
    let calls = 0
    const checkNewContracts = () => {
      calls++
      return importing.promise
    }
    let hasLeft = false
    const onAnswered = ({ status }: AnsweredRequest) => {
      hasLeft ||= status === 'aborted'
    }
    const services = { ...emptyServices, contracts: { ...emptyServices.contracts, checkNewContracts } }
    const gateway = await startGateway(services as never, { budget, onAnswered })
    atEnd(() => gateway.stop())
    const { clientId } = aNewContract()
    const row = `clientId,serviceName,serviceType,serviceFee\n${clientId},Audit,audit,1\n`
    const head = `POST /contracts.csv?dryRun=true HTTP/1.1\r\nHost: mint\r\n${KEY}${CSV_TYPE}`
    const socket = await beginRaw(gateway.port, `${head}Content-Length: ${row.length}\r\n\r\n${row}`)
    await waitFor(() => calls > 0, { what: 'the import to begin' })
    socket.resetAndDestroy()
    await waitFor(() => hasLeft, { what: 'the gateway to notice' })
    const { keys } = budget.pools
    assert.ok(keys.held() >= row.length, `${keys.held()} bytes`)
    importing.reject(new CodedError('unavailable', 'away'))
    await waitFor(() => keys.held() === 0, { what: 'all to be released' })
  })

  it('is distinguished from a small one, which is read to the end and keeps the connection open', async () => {
    const { port } = await started()
    const post = `POST /contracts HTTP/1.1\r\nHost: mint\r\nContent-Length: 5\r\n\r\n12345`
    const get = 'GET /nowhere HTTP/1.1\r\nHost: mint\r\nConnection: close\r\n\r\n'
    const refused = await callRaw(port, post.replace('Host', 'Connection: close\r\nHost'))
    assertProblem(refused, 401, 'missing_api_key')
    const received = await sendRaw(port, post + get)
    assert.deepEqual(received.match(/HTTP\/1\.1 \d+/g), ['HTTP/1.1 401', 'HTTP/1.1 404'])
  })
})
