import assert from 'node:assert/strict'
import { randomUUID } from 'node:crypto'
import { fetch, type RequestInit } from 'undici'
import { describeOn } from '../support/engines.ts'
import { freePort } from '../support/free-port.ts'
import { sharedMint } from '../support/mint-process.ts'
import { aNewContract } from '../support/rest.ts'
import { proxyProgram, type ReverseProxy, startCaddy, startNginx } from '../support/reverse-proxy.ts'

for (const [name, start] of [
  ['nginx', startNginx],
  ['caddy', startCaddy],
] as const) {
  describeOn(proxyProgram(name), `${name} as documented, in front of Mint`, (program) => {
    const mint = sharedMint({ environment: { CONSOLE_ALLOWED_HOSTS: 'mint.example.com' } })
    let proxy: ReverseProxy
    before(async () => {
      proxy = await start(program, [await freePort(), Number(new URL(mint().url).port)])
    })
    after(() => proxy?.stop())

    it('serves it over TLS, and passes on Mint’s own request ids and refusals', async () => {
      const call = caller(proxy, mint().key)
      const requestId = randomUUID()
      const created = await call(
        '/contracts',
        { method: 'POST', headers: { 'x-request-id': requestId } },
        aNewContract(),
      )
      assert.deepEqual([created.status, created.headers.get('x-request-id')], [201, requestId])
      const read = await call(created.headers.get('location') ?? '', {})
      assert.deepEqual([read.status, await read.json()], [200, await created.json()])
      const tooLarge = await call('/contracts', { method: 'POST' }, { notes: 'n'.repeat(200_000) })
      assert.deepEqual([tooLarge.status, tooLarge.headers.get('content-type')], [413, PROBLEM])
    })

    it('serves the console under its own name', async () => {
      const page = await caller(proxy, mint().key)('/console', {})
      assert.deepEqual([page.status, page.headers.get('content-type')], [200, 'text/html; charset=utf-8'])
    })

    it('lets the largest CSV file through, and Mint itself refuses a larger one', async () => {
      for (const [bytes, status] of [
        [MAX_CSV_BYTES, 400],
        [MAX_CSV_BYTES + 1, 413],
      ] as const) {
        const file = `legalName\n${LONG_ROW.repeat(100)}`.slice(0, bytes)
        const answer = await fetch(`${proxy.url}/businesses.csv?dryRun=true`, {
          method: 'POST',
          dispatcher: proxy.dispatcher,
          headers: { authorization: `Bearer ${mint().key}`, 'content-type': 'text/csv' },
          body: file,
        })
        assert.deepEqual([file.length, answer.status, answer.headers.get('content-type')], [bytes, status, PROBLEM])
      }
    })

    it('skips ports that no gateway listens on, without a failed request', async () => {
      const call = caller(proxy, mint().key)
      const answers = await Promise.all(
        Array.from({ length: 40 }, () => call('/contracts', { method: 'POST' }, aNewContract())),
      )
      assert.deepEqual(new Set(answers.map(({ status }) => status)), new Set([201]))
    })
  })
}

const MAX_CSV_BYTES = 10_000_000
const LONG_ROW = `${'n'.repeat(99_999)}\n`
const PROBLEM = 'application/problem+json; charset=utf-8'

function caller({ url, dispatcher }: ReverseProxy, key: string) {
  return (path: string, { method = 'GET', headers = {} }: RequestInit, body?: object) =>
    fetch(url + path, {
      method,
      dispatcher,
      headers: { authorization: `Bearer ${key}`, 'content-type': 'application/json', ...(headers as object) },
      ...(body !== undefined && { body: JSON.stringify(body) }),
    })
}
