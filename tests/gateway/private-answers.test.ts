import assert from 'node:assert/strict'
import { emptyServices } from '../support/empty-services.ts'
import { overTransport, startGateway, TEST_KEY } from '../support/gateway-fixture.ts'
import { assertInvalid } from '../support/problem-assertions.ts'
import { callRaw } from '../support/raw-http.ts'
import { aNewContract } from '../support/rest.ts'

const headersOf = ({ headers }: { readonly headers: Headers }) => [
  headers.get('cache-control'),
  headers.get('x-content-type-options'),
]
const PRIVATE = ['private, no-store', 'nosniff']

overTransport('direct', 'An answer under a valid key', (call) => {
  it('forbids caching and MIME sniffing, even if it is an error', async () => {
    const { headers, body } = await call('POST', '/contracts', aNewContract({}))
    assert.deepEqual(headersOf({ headers }), PRIVATE)
    const path = `/contracts/${body.id}`
    const answers = [
      [200, await call('GET', path)],
      [200, await call('HEAD', path)],
      [304, await call('GET', path, undefined, { 'If-None-Match': headers.get('etag') ?? '' })],
      [200, await call('GET', '/contracts.csv')],
      [400, await call('GET', '/contracts?limit=x')],
      [400, await call('GET', '/contracts/%')],
      [404, await call('GET', '/contracts/999999999')],
      [404, await call('GET', '/nowhere')],
      [405, await call('DELETE', path)],
      [412, await call('PATCH', path, { notes: 'x' }, { 'If-Match': '"99"' })],
      [415, await call('POST', '/contracts', {}, { 'Content-Type': 'text/plain' })],
    ] as const
    for (const [status, answer] of answers) {
      assert.deepEqual([answer.status, ...headersOf(answer)], [status, ...PRIVATE], answer.text)
    }
  })

  it('is the only one with these headers', async () => {
    const unknown = { Authorization: 'Bearer mint_somebody-elses-key-000000' }
    assert.deepEqual(headersOf(await call('GET', '/contracts', undefined, unknown)), [null, null])
    assert.equal((await call('GET', '/openapi.json')).headers.get('cache-control'), 'no-cache')
  })
})

describe('Two Authorization headers', () => {
  const request = (path: string, ...keys: readonly string[]): string =>
    [
      `GET ${path} HTTP/1.1`,
      'Host: mint',
      'Connection: close',
      ...keys.map((key) => `authorization: Bearer ${key}`),
      '\r\n',
    ].join('\r\n')
  const OTHER = 'mint_somebody-elses-key-000000'

  it('are refused, whichever is valid, after the check of the path and before that of the key', async () => {
    const gateway = await startGateway(emptyServices)
    try {
      for (const keys of [
        [TEST_KEY, OTHER],
        [OTHER, TEST_KEY],
        [TEST_KEY, TEST_KEY],
        [OTHER, OTHER],
      ]) {
        assertInvalid(await callRaw(gateway.port, request('/contracts', ...keys)), [
          'header /Authorization malformed_header',
        ])
        assert.equal((await callRaw(gateway.port, request('/nowhere', ...keys))).status, 404)
      }
      assert.equal((await callRaw(gateway.port, request('/contracts', TEST_KEY))).status, 200)
    } finally {
      await gateway.stop()
    }
  })
})
