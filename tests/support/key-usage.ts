import assert from 'node:assert/strict'
import { generateSecret } from '../../shared/api-keys/secret.ts'
import { aNewContract, type Rest, type RestAnswer, restClient } from './rest.ts'

export interface KeyUsage {
  readonly secrets: readonly string[]
  /** Every answer, with its headers; without the secret where one was issued. */
  readonly answers: ReadonlyMap<string, string>
}

/** Uses keys in every way: creates, rotates, lists and revokes them, writes with them, and tries wrong ones. */
export async function useKeys({ url, key }: { readonly url: string; readonly key: string }): Promise<KeyUsage> {
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
