import assert from 'node:assert/strict'
import { SCOPES, type Scope } from '../../shared/api-keys/scopes.ts'
import { configuredKey } from '../../shared/api-keys/serving/accepted-keys.ts'
import { emptyServices } from '../support/empty-services.ts'
import { type GatewayUnderTest, startGateway } from '../support/gateway-fixture.ts'
import { assertInvalid, assertProblem } from '../support/problem-assertions.ts'
import { aNewContract } from '../support/rest.ts'
import { staticApiKeys } from '../support/static-api-keys.ts'

const secretOf = (name: string) => `mint_the-secret-of-${name}`
const bearer = (name: string) => ({ authorization: `Bearer ${secretOf(name)}` })

describe('The checks of a request', () => {
  let gateway: GatewayUnderTest
  before(async () => {
    const all = { ...configuredKey(secretOf('all-scopes')), name: 'all' }
    const each = SCOPES.map((scope) => ({ ...configuredKey(secretOf(scope)), scopes: [scope] }))
    gateway = await startGateway(emptyServices, { apiKeys: staticApiKeys([all, ...each]), rateLimitPerSecond: 100_000 })
  })
  after(() => gateway.stop())
  const call: GatewayUnderTest['call'] = (method, path, body, headers) =>
    gateway.call(method, path, body, { ...bearer('all-scopes'), ...headers })

  describe('run in the documented order:', () => {
    const noKey = { authorization: undefined }
    it('broken percent-encoding before an unknown path', async () => {
      assertInvalid(await call('GET', '/nowhere/%zz', undefined, noKey), ['path  invalid_encoding'])
      assertInvalid(await call('DELETE', '/contracts?a=1&search=%E9&%=2', undefined, noKey), [
        'query /search invalid_encoding',
        'query /% invalid_encoding',
      ])
    })
    it('broken percent-encoding in thousands of parameters, with a bounded answer', async () => {
      const { errors, errorsOmitted } = assertProblem(
        await call('GET', `/?${'%&'.repeat(4_000)}`, undefined, noKey),
        400,
        'validation_failed',
      )
      assert.deepEqual([errors.length, errorsOmitted], [100, 3_900])
    })
    it('an unknown path before the method and the key', async () => {
      assertProblem(await call('PUT', '/nowhere', undefined, noKey), 404, 'route_not_found')
      assertProblem(await call('GET', '/nowhere', undefined, noKey), 404, 'route_not_found')
    })
    it('the method before the key', async () => {
      assertProblem(await call('DELETE', '/contracts/7', undefined, noKey), 405, 'method_not_allowed')
    })
    it('the key before the scope, the scope before the body', async () => {
      assertProblem(await call('POST', '/contracts', 'x', { ...noKey, 'content-type': 'x' }), 401, 'missing_api_key')
      const reader = { ...bearer('contracts:read'), 'content-type': 'x' }
      assertProblem(await call('POST', '/contracts', 'x', reader), 403, 'insufficient_scope')
    })
    it('the media type before the size, the size before JSON, JSON before fields, fields before the record', async () => {
      const large = 'x'.repeat(102_401)
      assertProblem(await call('PATCH', '/contracts/7', large, { 'content-type': 'x' }), 415, 'unsupported_media_type')
      assertProblem(await call('PATCH', '/contracts/7', large), 413, 'payload_too_large')
      assertProblem(await call('PATCH', '/contracts/x', '{'), 400, 'malformed_json')
      assertInvalid(await call('PATCH', '/contracts/7', { id: 7 }), ['body /id computed_field'])
      assertProblem(await call('PATCH', '/contracts/7', {}, { 'if-match': '"1"' }), 404, 'not_found')
    })
  })

  describe('Paths and methods', () => {
    for (const path of [
      '/Contracts',
      '/contracts/',
      '/contracts/7/',
      '//contracts',
      '/',
      '/contracts/7/8',
      '/contracts%2F7',
      '/contracts%23',
    ]) {
      it(`${path} is not a path of the API`, async () => {
        assertProblem(await call('GET', path), 404, 'route_not_found')
      })
    }
    for (const [path, allow] of [
      ['/contracts', 'GET, HEAD, POST'],
      ['/contracts/7', 'GET, HEAD, PATCH'],
      ['/businesses', 'GET, HEAD, POST'],
      ['/businesses/7', 'GET, HEAD, PATCH'],
      ['/clients', 'GET, HEAD'],
      ['/clients/7', 'GET, HEAD'],
      ['/clients/names', 'GET, HEAD'],
      ['/healthz', 'GET, HEAD'],
    ] as const) {
      it(`${path} allows only ${allow}`, async () => {
        for (const method of ['PUT', 'DELETE', 'OPTIONS', 'PROPFIND']) {
          const answer = await call(method, path)
          const { detail } = assertProblem(answer, 405, 'method_not_allowed')
          assert.equal(detail, `This path does not support this method. Use one of: ${allow}.`)
          assert.equal(answer.headers.get('allow'), allow)
        }
      })
    }
  })

  describe('API keys', () => {
    for (const authorization of [
      undefined,
      '',
      'Basic dXNlcjpwYXNz',
      'Bearer',
      'Bearer ',
      secretOf('all-scopes'),
      'Token x',
    ]) {
      it(`"${authorization ?? 'no header'}" is not an API key`, async () => {
        const answer = await call('GET', '/contracts/7', undefined, { authorization })
        assertProblem(answer, 401, 'missing_api_key')
        assert.match(answer.body.detail, /^No API key was given as a bearer token\. Send the header/)
        assert.match(answer.body.detail, /Send the header Authorization: .+ In a browser, sign in at \/console\./)
        assert.equal(answer.headers.get('www-authenticate'), 'Bearer')
        assert.equal(answer.headers.get('ratelimit'), null)
      })
    }
    for (const key of [
      'x',
      'mint_',
      'mint_unknown-but-long-enough',
      `mint_${'x'.repeat(5_000)}`,
      `${secretOf('all-scopes')} x`,
      `${secretOf('all-scopes')}x`,
      secretOf('all-scopes').toUpperCase(),
    ]) {
      it(`"${key.slice(0, 40)}" is not a valid key`, async () => {
        const answer = await call('GET', '/contracts/7', undefined, { authorization: `Bearer ${key}` })
        assertProblem(answer, 401, 'invalid_api_key')
        assert.equal(answer.headers.get('www-authenticate'), 'Bearer')
      })
    }
    it('the scheme is accepted in any case', async () => {
      for (const scheme of ['bearer', 'BEARER', 'bEaReR ']) {
        const authorization = `${scheme} ${secretOf('all-scopes')}`
        assertProblem(await call('GET', '/contracts/7', undefined, { authorization }), 404, 'not_found')
      }
    })
  })

  describe('Scopes', () => {
    const uuid = '11111111-1111-1111-1111-111111111111'
    const requests: readonly [string, string, Scope, unknown?][] = [
      ['GET', '/contracts', 'contracts:read'],
      ['GET', '/contracts/7', 'contracts:read'],
      ['HEAD', '/contracts/7', 'contracts:read'],
      ['POST', '/contracts', 'contracts:write', aNewContract()],
      ['PATCH', '/contracts/7', 'contracts:write', {}],
      ['GET', '/businesses', 'businesses:read'],
      ['GET', `/businesses/${uuid}`, 'businesses:read'],
      ['POST', '/businesses', 'businesses:write', { legalName: 'Acme' }],
      ['PATCH', `/businesses/${uuid}`, 'businesses:write', {}],
      ['GET', '/closing', 'contracts:read'],
      ['GET', '/closing/history', 'contracts:read'],
      ['PUT', '/closing', 'closing:write', {}],
      ['PATCH', '/firm', 'firm:write', { name: 'Acme' }],
      ['GET', '/firm/history', 'contracts:read'],
      ['POST', '/proposals', 'contracts:propose', {}],
      ['POST', `/proposals/${uuid}/accept`, 'contracts:write'],
      ['POST', `/proposals/${uuid}/decline`, 'contracts:write', { reason: 'x' }],
      ['GET', '/reports/contracts', 'contracts:read'],
      ['GET', '/reports/contracts.csv', 'contracts:read'],
      ['GET', '/reports/contracts/lines', 'contracts:read'],
      ['GET', '/reports/contracts/lines.csv', 'contracts:read'],
      ['GET', '/reports/contracts/changes?since=2026-01-01T00:00:00Z', 'contracts:read'],
      ['GET', '/operations/status', 'operations:read'],
      ['GET', '/operations/dead-letters', 'operations:read'],
      ['POST', '/operations/dead-letters/replay', 'operations:write', {}],
      ['GET', '/clients', 'clients:read'],
      ['GET', `/clients/${uuid}`, 'clients:read'],
      ['GET', `/clients/names?clientIds=${uuid}`, 'clients:read'],
    ]
    for (const [method, path, needed, body] of requests) {
      it(`${method} ${path} needs ${needed} and no other`, async () => {
        for (const scope of SCOPES) {
          const { status } = await call(method, path, body, bearer(scope))
          assert.equal(status === 403, scope !== needed, `${status} with ${scope}`)
        }
      })
    }
  })

  describe('The request id', () => {
    it('is adopted if it is valid, otherwise generated, and always returned', async () => {
      const idFor = async (given: string | undefined) =>
        (await call('GET', '/contracts/7', undefined, { 'x-request-id': given })).headers.get('x-request-id')
      for (const given of ['a', '~'.repeat(128), 'req-1/2:3']) assert.equal(await idFor(given), given)
      for (const given of [undefined, '', 'x'.repeat(129), 'a b', 'é'])
        assert.match((await idFor(given)) ?? '', /^[0-9a-f-]{36}$/)
      assert.equal(
        (await call('GET', '/healthz', undefined, { 'x-request-id': 'abc' })).headers.get('x-request-id'),
        'abc',
      )
    })
  })

  it('/healthz answers without a key', async () => {
    const answer = await call('GET', '/healthz', undefined, { authorization: undefined })
    assert.deepEqual([answer.status, answer.body], [200, { status: 'ok' }])
  })

  it('a problem names the path as it was sent, without its query', async () => {
    assert.equal(assertProblem(await call('GET', '/contracts/%37?'), 404, 'not_found').instance, '/contracts/%37')
    assert.equal((await call('GET', '/contracts/x?limit=1')).body.instance, '/contracts/x')
  })
})
