import assert from 'node:assert/strict'
import { randomUUID } from 'node:crypto'
import { fetch, type RequestInit } from 'undici'
import { cleanup } from '../support/cleanup.ts'
import { describeOn } from '../support/engines.ts'
import { freePort } from '../support/free-port.ts'
import { type MintProcess, startedMints } from '../support/mint-process.ts'
import { aNewContract } from '../support/rest.ts'
import { proxyProgram, type ReverseProxy, startCaddy, startNginx } from '../support/reverse-proxy.ts'
import { temporaryFolders } from '../support/temporary-folder.ts'

for (const [name, start] of [
  ['nginx', startNginx],
  ['caddy', startCaddy],
] as const) {
  describeOn(proxyProgram(name), `${name} as documented, in front of Mint`, (program) => {
    const later = cleanup()
    const startMint = startedMints(later)
    const newFolder = temporaryFolders(later)

    async function started(): Promise<{ mint: MintProcess; proxy: ReverseProxy }> {
      const mint = await startMint({ dataFolder: newFolder() })
      const proxy = await start(program, [await freePort(), Number(new URL(mint.url).port)])
      later(() => proxy.stop())
      return { mint, proxy }
    }

    it('serves it over TLS, and passes on Mint’s own request ids and refusals', async () => {
      const { mint, proxy } = await started()
      const call = caller(proxy, mint.key)
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

    it('skips ports that no gateway listens on, without a failed request', async () => {
      const { mint, proxy } = await started()
      const call = caller(proxy, mint.key)
      const answers = await Promise.all(
        Array.from({ length: 40 }, () => call('/contracts', { method: 'POST' }, aNewContract())),
      )
      assert.deepEqual(new Set(answers.map(({ status }) => status)), new Set([201]))
    })
  })
}

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
