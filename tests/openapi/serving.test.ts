import assert from 'node:assert/strict'
import { emptyServices } from '../support/empty-services.ts'
import { type GatewayUnderTest, startGateway } from '../support/gateway-fixture.ts'
import { openApi } from '../support/openapi-document.ts'
import { assertProblem } from '../support/problem-assertions.ts'

describe('The document and the page that shows it', () => {
  let gateway: GatewayUnderTest
  before(async () => {
    gateway = await startGateway(emptyServices)
  })
  after(() => gateway.stop())
  const get = (path: string, headers = {}) =>
    gateway.call('GET', path, undefined, { authorization: undefined, ...headers })

  for (const path of ['/openapi.json', '/docs']) {
    it(`${path} needs no key, allows only GET and HEAD, and answers 304 while its ETag is current`, async () => {
      const answer = await get(path)
      assert.equal(answer.status, 200)
      const head = await gateway.call('HEAD', path, undefined, { authorization: undefined })
      assert.deepEqual([head.status, head.text, head.headers.get('etag')], [200, '', answer.headers.get('etag')])
      assertProblem(await gateway.call('POST', path, {}, { authorization: undefined }), 405, 'method_not_allowed')
      const etag = answer.headers.get('etag') ?? ''
      assert.equal((await get(path, { 'if-none-match': etag })).status, 304)
      assert.equal((await get(path, { 'if-none-match': '"1"' })).status, 200)
    })
  }

  it('the served document is the one that these suites check every answer against', async () => {
    assert.deepEqual((await get('/openapi.json')).body, JSON.parse(JSON.stringify(openApi)))
  })

  it('the page consists of files that this Mint serves, and may load nothing else', async () => {
    const page = await get('/docs')
    const policy = page.headers.get('content-security-policy') ?? ''
    assert.match(policy, /^default-src 'none'; script-src 'self'; style-src 'self'; /)
    assert.doesNotMatch(policy, /unsafe|https?:|\*/)
    const files = [...page.text.matchAll(/(?:src|href)="([^"]+)"/g)].map(([, file]) => file ?? '')
    assert.ok(files.length >= 4, 'a style sheet, an icon, two scripts')
    for (const file of files) {
      const { status } = await fetch(new URL(file, `http://127.0.0.1:${gateway.port}/docs`))
      assert.equal(status, 200, file)
    }
    assert.doesNotMatch(page.text, /https?:\/\/|<style|style=|\son\w+=|<script>/)
  })
})
