import assert from 'node:assert/strict'
import { atEnd } from '../support/cleanup.ts'
import { emptyServices } from '../support/empty-services.ts'
import { startGateway } from '../support/gateway-fixture.ts'

async function started(options: Parameters<typeof startGateway>[1] = {}) {
  const gateway = await startGateway(emptyServices, options)
  atEnd(() => gateway.stop())
  const { call } = gateway
  return (path: string, method = 'GET') => call(method, path, undefined, { authorization: undefined })
}

describe('/.well-known/api-catalog', () => {
  it('links to the descriptions of the API, all of which exist', async () => {
    const get = await started()
    const { status, headers, text } = await get('/.well-known/api-catalog')
    const profile = 'https://www.rfc-editor.org/info/rfc9727'
    assert.deepEqual([status, headers.get('content-type')], [200, `application/linkset+json; profile="${profile}"`])
    const [api, ...others] = JSON.parse(text).linkset
    assert.deepEqual([api.anchor, others], ['/', []])
    const links = ['service-desc', 'service-doc', 'status'].flatMap((relation) => api[relation])
    assert.deepEqual(
      links.map(({ href }) => href),
      ['/openapi.json', '/asyncapi.json', '/docs', '/readyz'],
    )
    for (const { href, type } of links) {
      const found = await get(href)
      assert.equal(found.status, 200, href)
      assert.ok(found.headers.get('content-type')?.startsWith(type), href)
    }
  })

  it('is linked in the answer to HEAD', async () => {
    const get = await started()
    const { headers } = await get('/.well-known/api-catalog', 'HEAD')
    assert.equal(headers.get('link'), '</.well-known/api-catalog>; rel="api-catalog"')
  })
})

describe('/.well-known/security.txt', () => {
  it('gives the contact from SECURITY_CONTACT, and expires after a month', async () => {
    const securityContact = 'mailto:it@firm.example'
    const gateway = await startGateway(emptyServices, { securityContact, clock: () => Date.UTC(2026, 0, 31, 9) })
    atEnd(() => gateway.stop())
    const answer = await fetch(`http://127.0.0.1:${gateway.port}/.well-known/security.txt`)
    assert.deepEqual([answer.status, answer.headers.get('content-type')], [200, 'text/plain; charset=utf-8'])
    assert.equal(await answer.text(), 'Contact: mailto:it@firm.example\r\nExpires: 2026-03-02T09:00:00.000Z\r\n')
  })

  it('does not exist without that setting', async () => {
    const get = await started()
    assert.equal((await get('/.well-known/security.txt')).status, 404)
  })
})
