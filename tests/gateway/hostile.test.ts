import assert from 'node:assert/strict'
import { once } from 'node:events'
import { attackWith } from '../support/attacks.ts'
import { atEnd } from '../support/cleanup.ts'
import { emptyServices } from '../support/empty-services.ts'
import { type GatewayUnderTest, startGateway, startWholeMint, TEST_KEY } from '../support/gateway-fixture.ts'
import { assertInvalid, assertProblem } from '../support/problem-assertions.ts'
import { beginRaw, callRaw, parseAnswer, sendRaw } from '../support/raw-http.ts'
import { aNewContract } from '../support/rest.ts'
import { waitFor } from '../support/wait-for.ts'

const AUTH = `Host: mint\r\nAuthorization: Bearer ${TEST_KEY}\r\n`
const CLOSING = `${AUTH}Connection: close\r\n`
const JSON_TYPE = 'Content-Type: application/json\r\n'

describe('What a hostile caller sends over a raw connection', () => {
  let mint: GatewayUnderTest
  before(async () => {
    mint = await startWholeMint('direct')
  })
  after(() => mint.stop())
  afterEach('the gateway keeps serving', async () => {
    assert.equal((await mint.call('GET', '/healthz')).status, 200)
  })

  for (const [what, bytes] of [
    ['not HTTP', 'hello\r\n\r\n'],
    ['a TLS ClientHello', Buffer.from('16030100fa010000f6030300000000000000', 'hex')],
    ['an unknown method', `BREW /contracts HTTP/1.1\r\n${AUTH}\r\n`],
    ['HTTP/2', 'PRI * HTTP/2.0\r\n\r\nSM\r\n\r\n'],
    ['an unknown version', `GET /contracts HTTP/3.7\r\n${AUTH}\r\n`],
    ['a header without a colon', 'GET /contracts HTTP/1.1\r\nHost mint\r\n\r\n'],
    ['a space in a header name', 'GET /contracts HTTP/1.1\r\nHost : mint\r\n\r\n'],
    ['an unencoded query', `GET /contracts?search=école HTTP/1.1\r\n${AUTH}\r\n`],
    ['a target without a slash', `GET contracts HTTP/1.1\r\n${AUTH}\r\n`],
    ['no version', 'GET /contracts\r\n\r\n'],
    ['HTTP/2 in HTTP/1 syntax', `GET /contracts HTTP/2.0\r\n${AUTH}\r\n`],
    ['two Hosts', `GET /contracts HTTP/1.1\r\n${AUTH}Host: other\r\n\r\n`],
    ['no Host', 'GET /contracts HTTP/1.1\r\nConnection: close\r\n\r\n'],
    ['a space in the URL', `GET /contracts x HTTP/1.1\r\n${AUTH}\r\n`],
    ['NUL in a header', `GET /contracts HTTP/1.1\r\n${AUTH}X: a\0b\r\n\r\n`],
    ['two lengths', `POST /contracts HTTP/1.1\r\n${AUTH}Content-Length: 1\r\nContent-Length: 2\r\n\r\n{}`],
    [
      'a length and chunks',
      `POST /contracts HTTP/1.1\r\n${AUTH}Content-Length: 2\r\nTransfer-Encoding: chunked\r\n\r\n{}`,
    ],
    [
      'a coding of the whole body',
      `POST /contracts HTTP/1.1\r\n${AUTH}${JSON_TYPE}Transfer-Encoding: gzip, chunked\r\n\r\n2\r\n{}\r\n0\r\n\r\n`,
    ],
    ['a negative length', `POST /contracts HTTP/1.1\r\n${AUTH}Content-Length: -1\r\n\r\n`],
  ] as const) {
    it(`${what} is malformed_request, and the connection is closed`, async () => {
      const answer = await callRaw(mint.port, bytes)
      assertProblem(answer, 400, 'malformed_request')
      assert.equal(answer.headers.get('connection'), 'close')
    })
  }

  it('an unencoded query or an unusual method gets an answer that explains how to fix it', async () => {
    for (const start of ['GET /contracts?search=école', 'GET /contracts?search=tax return', 'LIST /contracts']) {
      const { detail } = (await callRaw(mint.port, `${start} HTTP/1.1\r\n${AUTH}\r\n`)).body
      assert.match(
        detail,
        /a standard method, and percent-encode everything in the URL that is not ASCII, as well as spaces/,
      )
    }
  })

  it('a broken chunk in a body is malformed_request', async () => {
    const head = `POST /contracts HTTP/1.1\r\n${AUTH}${JSON_TYPE}Transfer-Encoding: chunked\r\n\r\n`
    assertProblem(await callRaw(mint.port, `${head}zz\r\n`), 400, 'malformed_request')
  })

  it('a long URL is 414, large headers are 431', async () => {
    for (const length of [8_200, 60_000]) {
      const answer = await callRaw(mint.port, `GET /contracts?search=${'x'.repeat(length)} HTTP/1.1\r\n${CLOSING}\r\n`)
      assertProblem(answer, 414, 'request_too_large')
    }
    const many = (count: number): string => 'X: x\r\n'.repeat(count).trim()
    for (const header of [`X: ${'x'.repeat(60_000)}`, many(5_000), many(1_001)]) {
      const answer = await callRaw(mint.port, `GET /contracts HTTP/1.1\r\n${CLOSING}${header}\r\n\r\n`)
      assertProblem(answer, 431, 'request_too_large')
    }
  })

  it('many small headers within the size limit do not hide the key', async () => {
    const many = 'X: x\r\n'.repeat(990)
    const answer = await callRaw(
      mint.port,
      `GET /contracts HTTP/1.1\r\nHost: mint\r\nConnection: close\r\n${many}${AUTH.slice(12)}\r\n`,
    )
    assert.equal(answer.status, 200)
  })

  it('CONNECT gets a problem, and an Upgrade is ignored', async () => {
    const answer = await callRaw(mint.port, `CONNECT mint:80 HTTP/1.1\r\n${AUTH}X-Request-Id: mine\r\n\r\n`)
    assertProblem(answer, 404, 'route_not_found')
    assert.equal(answer.body.requestId, 'mine')
    const upgrade = 'Connection: Upgrade, close\r\nUpgrade: websocket\r\n'
    assert.equal((await callRaw(mint.port, `GET /contracts HTTP/1.1\r\n${AUTH}${upgrade}\r\n`)).status, 200)
  })

  for (const origin of ['http://other.example', 'foo://bar', 'a://', 'http://[::1', 'ftp://me@[::1]:x']) {
    it(`a target that begins with ${origin} is served as its path`, async () => {
      const answer = await callRaw(mint.port, `GET ${origin}/contracts/0?x=1 HTTP/1.1\r\n${CLOSING}\r\n`)
      assertInvalid(answer, ['path /id invalid_id', 'query /x unknown_field'])
      assert.equal(answer.body.instance, '/contracts/0')
    })
  }

  for (const [target, instance = target] of [
    ['*', '/*'],
    ['http://', '/'],
    ['http://mint', '/'],
    ['http://mint?x=1', '/'],
    ['http://[::1', '/'],
    ['foo://bar', '/'],
    ['a://', '/'],
    ['javascript://%0aalert(1)', '/'],
    ['foo:///bar', '/bar'],
    ['//other.example/contracts'],
    ['//a@b#c', '//a@b%23c'],
    ['//a@[::1#c', '//a@[::1%23c'],
    ['/../contracts'],
    ['/./contracts'],
    ['/contracts#x', '/contracts%23x'],
    ['/contracts;x'],
    ['/\\contracts'],
    ['/http://mint'],
  ] as const) {
    it(`the target ${target} is not found`, async () => {
      for (const method of ['GET', 'OPTIONS', 'HEAD']) {
        const received = await sendRaw(mint.port, `${method} ${target} HTTP/1.1\r\n${CLOSING}\r\n`)
        assert.match(received, /^HTTP\/1.1 404 .*application\/problem\+json/s)
        if (method === 'HEAD') continue
        const answer = parseAnswer(received)
        assertProblem(answer, 404, 'route_not_found')
        assert.equal(answer.body.instance, instance)
      }
    })
  }

  it('odd targets count against the limit of their address', async () => {
    const answered: string[] = []
    const gateway = await startGateway(emptyServices, {
      publicRateLimitPerSecond: 2,
      onAnswered: ({ method, route, status }) => answered.push(`${method} ${route} ${status}`),
    })
    atEnd(() => gateway.stop())
    const requests = ['foo://bar', '//a@b#c', 'http://'].map((target) => `GET ${target} HTTP/1.1\r\nHost: mint\r\n`)
    const received = await sendRaw(gateway.port, `${requests.join('\r\n')}Connection: close\r\n\r\n`)
    assert.deepEqual(received.match(/HTTP\/1\.1 \d+/g), ['HTTP/1.1 404', 'HTTP/1.1 404', 'HTTP/1.1 429'])
    await waitFor(() => answered.length === 3, { what: 'the third answer to be reported' })
    assert.deepEqual(answered, ['GET (none) 404', 'GET (none) 404', 'GET (none) 429'])
  })

  it('Expect: 100-continue gets a 100 only once all checks that need no body have passed', async () => {
    const body = JSON.stringify(aNewContract())
    const expecting = (headers: string) =>
      `POST /contracts HTTP/1.1\r\n${headers}${JSON_TYPE}Expect: 100-continue\r\nContent-Length: ${body.length}\r\n\r\n`
    const refused = await callRaw(mint.port, expecting('Host: mint\r\n'))
    assertProblem(refused, 401, 'missing_api_key')
    assert.equal(refused.headers.get('connection'), 'close')
    const tooLarge = expecting(AUTH).replace(/Content-Length: .*/, 'Content-Length: 102401')
    assertProblem(await callRaw(mint.port, tooLarge), 413, 'payload_too_large')
    assert.match(await sendRaw(mint.port, expecting(AUTH), /\r\n\r\n/), /^HTTP\/1\.1 100 Continue/)
    const [, answer = ''] = (await sendRaw(mint.port, expecting(CLOSING) + body)).split('100 Continue\r\n\r\n')
    assert.equal(parseAnswer(answer).status, 201)
  })

  it('an unknown expectation is ignored', async () => {
    assert.equal(
      (await callRaw(mint.port, `GET /contracts HTTP/1.1\r\n${CLOSING}Expect: miracles\r\n\r\n`)).status,
      200,
    )
  })

  it('a chunked body above the limit is 413 before its end', async () => {
    const head = `POST /contracts HTTP/1.1\r\n${AUTH}${JSON_TYPE}Transfer-Encoding: chunked\r\n\r\n`
    const chunk = `${(60_000).toString(16)}\r\n${' '.repeat(60_000)}\r\n`
    const received = await sendRaw(mint.port, head + chunk + chunk, /request.*\}/)
    assertProblem(parseAnswer(received), 413, 'payload_too_large')
  })

  it('an aborted body leaves nothing behind', async () => {
    const clientId = 'bbbbbbbb-0000-0000-0000-000000000001'
    const body = JSON.stringify(aNewContract({ clientId }))
    for (const sent of [body.slice(0, -1), '', body.slice(0, 10)]) {
      const head = `POST /contracts HTTP/1.1\r\n${AUTH}${JSON_TYPE}Content-Length: ${body.length}\r\n\r\n`
      const socket = await beginRaw(mint.port, head + sent)
      socket.destroy()
    }
    const half = await callRaw(
      mint.port,
      `POST /contracts HTTP/1.1\r\n${CLOSING}${JSON_TYPE}Content-Length: 2\r\n\r\n{}`,
    )
    assertProblem(half, 400, 'validation_failed')
    assert.equal((await mint.call('GET', `/contracts?clientId=${clientId}`)).body.total, 0)
  })

  it('two requests in one packet get two answers in order', async () => {
    const one = `GET /contracts/0 HTTP/1.1\r\n${AUTH}\r\n`
    const received = await sendRaw(mint.port, `${one}GET /healthz HTTP/1.1\r\n${CLOSING}\r\n`)
    assert.deepEqual(received.match(/HTTP\/1\.1 \d+/g), ['HTTP/1.1 400', 'HTTP/1.1 200'])
  })

  it('garbage after a request does not replace its answer', async () => {
    const body = JSON.stringify(aNewContract())
    const post = `POST /contracts HTTP/1.1\r\n${AUTH}${JSON_TYPE}Content-Length: ${body.length}\r\n\r\n${body}`
    for (const rest of ['no HTTP\r\n\r\n', `CONNECT mint:80 HTTP/1.1\r\n${AUTH}\r\n`]) {
      const received = await sendRaw(mint.port, post + rest)
      assert.deepEqual(received.match(/HTTP\/1\.1 \d\d/g), ['HTTP/1.1 20', 'HTTP/1.1 40'])
    }
  })

  it('a request answered before its body broke off is not answered twice', async () => {
    const head = `POST /contracts HTTP/1.1\r\nHost: mint\r\n${JSON_TYPE}Transfer-Encoding: chunked\r\n\r\n`
    const socket = await beginRaw(mint.port, head)
    let received = ''
    socket.setEncoding('utf8').on('data', (text) => {
      received += text
      socket.write('zz\r\n')
    })
    await once(socket, 'close')
    assert.deepEqual(received.match(/HTTP\/1\.1 \d+/g), ['HTTP/1.1 401'])
  })

  it('callers that never read or disconnect midway block no other caller', async () => {
    // More than the socket buffers at both ends hold.
    const total = 'x'.repeat(12_000_000)
    let asked = 0
    const listContracts = async () => {
      asked++
      return { contracts: [], total }
    }
    const answered: string[] = []
    const gateway = await startGateway({ ...emptyServices, contracts: { listContracts } } as never, {
      onAnswered: ({ route, status }) => answered.push(`${route} ${status}`),
    })
    atEnd(() => gateway.stop())
    const sockets = await attackWith(gateway.port, 4, `GET /contracts HTTP/1.1\r\n${AUTH}\r\n`)
    atEnd(() => {
      for (const socket of sockets) socket.destroy()
    })
    await waitFor(() => asked === 4, { what: 'all of them to have asked' })
    for (const socket of sockets.slice(2)) socket.destroy()
    for (let time = 0; time < 10; time++) assert.equal((await gateway.call('GET', '/businesses')).status, 200)
    await waitFor(() => answered.length >= 12, { what: 'the gateway to be done with those that went away' })
    assert.deepEqual(answered.toSorted(), [
      ...Array.from({ length: 10 }, () => '/businesses 200'),
      ...Array.from({ length: 2 }, () => '/contracts aborted'),
    ])
  })
})
