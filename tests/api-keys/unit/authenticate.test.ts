import assert from 'node:assert/strict'
import { authenticate } from '../../../gateway/authenticate.ts'
import { hashSecret } from '../../../shared/api-keys/secret.ts'

const SECRET = `mint_${'a'.repeat(36)}`
const HEADER = `Bearer ${SECRET}`
const CALLER = { id: 'key-1', name: 'Website', scopes: [] }

describe('The caller of a request', () => {
  /** Keys, of which one is valid while it is in `good`; `asked` lists the hashes looked up. */
  function keys() {
    const good = new Set([hashSecret(SECRET)])
    const asked: string[] = []
    const known = (sha256: string) => {
      asked.push(sha256)
      return good.has(sha256) ? CALLER : undefined
    }
    return { good, asked, apiKeys: { known, find: async (sha256: string) => known(sha256) } }
  }

  it('is found by the hash of the secret', async () => {
    const { asked, apiKeys } = keys()
    assert.equal(await authenticate(HEADER, apiKeys), CALLER)
    assert.deepEqual(asked, [hashSecret(SECRET)])
  })

  it('is checked on each request: a key that is no longer valid is refused', async () => {
    const { good, apiKeys } = keys()
    await authenticate(HEADER, apiKeys)
    good.clear()
    await assert.rejects(authenticate(HEADER, apiKeys), { code: 'invalid_api_key' })
  })
})
