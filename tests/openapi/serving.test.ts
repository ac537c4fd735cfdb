import assert from 'node:assert/strict'
import { emptyServices } from '../support/empty-services.ts'
import { type GatewayUnderTest, startGateway } from '../support/gateway-fixture.ts'
import { openApi } from '../support/openapi-document.ts'

describe('The document and the page that shows it', () => {
  let gateway: GatewayUnderTest
  before(async () => {
    gateway = await startGateway(emptyServices)
  })
  after(() => gateway.stop())
  const get = (path: string, headers = {}) =>
    gateway.call('GET', path, undefined, { authorization: undefined, ...headers })

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
