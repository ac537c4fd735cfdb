import assert from 'node:assert/strict'
import { emptyServices } from '../support/empty-services.ts'
import { type GatewayUnderTest, startGateway } from '../support/gateway-fixture.ts'
import { assertProblem } from '../support/problem-assertions.ts'
import { parseAnswer, sendRaw } from '../support/raw-http.ts'

const PAGES = ['/console', '/console/x/start.ts', '/docs', '/docs/start.js']

describe('The pages requested with a Host header', () => {
  let gateway: GatewayUnderTest
  before(async () => {
    gateway = await startGateway(emptyServices, { pageHosts: ['mint.firm.example'] })
  })
  after(() => gateway.stop())

  const get = async (path: string, host: string): Promise<string> =>
    await sendRaw(gateway.port, `GET ${path} HTTP/1.1\r\nHost: ${host}\r\nConnection: close\r\n\r\n`)
  const statusOf = async (path: string, host: string): Promise<string> => (await get(path, host)).slice(9, 12)

  it('are served for an IP address, a local name and the configured names', async () => {
    for (const host of ['127.0.0.1:8080', '10.1.2.3', '[::1]:8080', 'localhost:8080', 'gateway', 'Mint.Firm.example']) {
      for (const path of ['/console', '/docs', '/docs/start.js']) assert.equal(await statusOf(path, host), '200', host)
    }
  })

  it('are refused for any other name, which anyone could point to this host, and name the setting', async () => {
    for (const host of [
      'evil.example',
      'evil.example:8080',
      '127.0.0.1.evil.example',
      'mint.firm.example.evil.example',
    ]) {
      for (const path of PAGES) {
        const answer = parseAnswer(await get(path, host))
        assertProblem(answer, 421, 'misdirected_request')
        assert.match(answer.text, /CONSOLE_ALLOWED_HOSTS/)
      }
    }
  })

  it('do not restrict the API, which requires a key', async () => {
    assert.equal(await statusOf('/contracts', 'evil.example'), '401')
    for (const path of ['/healthz', '/openapi.json']) assert.equal(await statusOf(path, 'evil.example'), '200')
  })
})
