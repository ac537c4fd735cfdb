import assert from 'node:assert/strict'
import { readdirSync, readFileSync, statSync } from 'node:fs'
import { join } from 'node:path'
import { generateSecret } from '../../../shared/api-keys/secret.ts'
import { startedMint } from '../../support/mint-process.ts'
import { aNewContract, type Rest, type RestAnswer, restClient } from '../../support/rest.ts'
import { newFolder } from '../../support/temporary-folder.ts'

describe('API keys of a running Mint', () => {
  it('survive a kill right after the answer, with all their changes', async () => {
    const dataFolder = newFolder()
    const mint = await startedMint({ dataFolder })
    const admin = restClient(mint)
    const made = async () => (await admin('POST', '/api-keys', { name: 'x', scopes: ['contracts:read'] })).body
    const [rotated, revoked] = [await made(), await made()]
    const second = (await admin('POST', `/api-keys/${rotated.id}/rotate`)).body.key
    await admin('DELETE', `/api-keys/${revoked.id}`)
    const last = (await made()).key
    await mint.kill()

    const again = await startedMint({ dataFolder })
    const statusWith = async (key: string) => (await restClient({ url: again.url, key })('GET', '/contracts')).status
    const secrets = [mint.key, rotated.key, second, revoked.key, last]
    assert.deepEqual(await Promise.all(secrets.map(statusWith)), [200, 401, 200, 401, 200])
  })

  it('leave no secret in a log, an answer, a metric or a file', async () => {
    const dataFolder = newFolder()
    const mint = await startedMint({ dataFolder, environment: { LOG_LEVEL: 'trace', GATEWAY_TRANSPORT: 'grpc' } })
    const { secrets, answers } = await useKeys(mint)
    const metrics = await (await fetch(mint.metricsUrl)).text()
    const whileRunning = filesIn(dataFolder)
    mint.signal('SIGTERM')
    const { output, errors } = await mint.ended
    assert.ok(errors.includes('"level":20'), 'it logs each request')
    assert.match(metrics, /mint_/)
    const withoutFirst = output.replaceAll(mint.key, '')
    assertNoSecret(
      new Map([
        ...answers,
        ...whileRunning,
        ...filesIn(dataFolder),
        ['log', errors],
        ['metrics', metrics],
        ['output', withoutFirst],
      ]),
      secrets,
    )
  })
})

/**
 * Uses keys in every way: creates, rotates, lists and revokes them, writes with them, and tries wrong ones. Returns the
 * secrets, and every answer with its headers, without the secret where one was issued.
 */
async function useKeys({ url, key }: { readonly url: string; readonly key: string }) {
  const answers = new Map<string, string>()
  const noting = (secret: string): Rest => {
    const call = restClient({ url, key: secret })
    return async (method, path, body, headers) => {
      const answer = await call(method, path, body, headers)
      answers.set(`answer ${answers.size} to ${method} ${path}`, JSON.stringify([...answer.headers]) + told(answer))
      return answer
    }
  }
  const call = noting(key)
  const scopes = ['contracts:read', 'contracts:write']
  const made = await call('POST', '/api-keys', { name: 'Invoicing', scopes })
  const { id, key: first } = made.body
  const second = (await call('POST', `/api-keys/${id}/rotate`, { graceSeconds: 3600 })).body.key
  const refused = [generateSecret(), `${first.slice(0, -1)}~`, `${key}x`]
  for (const secret of [first, second]) {
    assert.equal((await noting(secret)('POST', '/contracts', aNewContract())).status, 201)
    assert.equal((await noting(secret)('POST', '/contracts', { serviceFee: 'x' })).status, 400)
    assert.equal((await noting(secret)('GET', '/businesses')).status, 403)
  }
  for (const path of ['/api-keys', `/api-keys/${id}`]) assert.equal((await call('GET', path)).status, 200)
  assert.equal((await call('DELETE', `/api-keys/${id}`)).status, 204)
  for (const secret of [...refused, first, second]) {
    assert.equal((await noting(secret)('GET', '/contracts')).status, 401)
  }
  return { secrets: [key, first, second, ...refused], answers }
}

/** An answer's text, without any secret that it issues. */
function told({ status, text, body }: RestAnswer): string {
  return status === 201 && body.key !== undefined ? JSON.stringify({ ...body, key: undefined }) : text
}

/** Texts that must not contain a secret, by a label for messages. */
type Places = ReadonlyMap<string, string | Buffer>

/** The files in a folder and its subfolders. */
function filesIn(folder: string): Places {
  const names = readdirSync(folder, { recursive: true, encoding: 'utf8' })
  const files = names.filter((name) => statSync(join(folder, name)).isFile())
  return new Map(files.map((name) => [name, readFileSync(join(folder, name))]))
}

/** Asserts that no place contains a secret, with or without its prefix, as is or in base64; hashes are allowed. */
function assertNoSecret(places: Places, secrets: readonly string[]): void {
  assert.ok(secrets.length > 0 && places.size > 0)
  const found = [...places].flatMap(([place, content]) =>
    secrets
      .flatMap((secret) => [
        secret.replace(/^mint_/, ''),
        Buffer.from(secret)
          .toString('base64')
          .replace(/.{0,2}=*$/, ''),
      ])
      .filter((form) => content.includes(form))
      .map((form) => `${form} is in ${place}`),
  )
  assert.deepEqual(found, [])
}
