import assert from 'node:assert/strict'
import { authenticate } from '../../../gateway/auth/authenticate.ts'
import { createRecentSecrets } from '../../../gateway/auth/recent-secrets.ts'
import { hashSecret } from '../../../gateway/auth/secret.ts'
import { cleanup } from '../../support/cleanup.ts'

const SECRET = `mint_${'a'.repeat(36)}`
const HEADER = `Bearer ${SECRET}`
const CALLER = { id: 'key-1', name: 'Website', scopes: [] }

describe('Who calls', () => {
  const atEnd = cleanup()

  /** Keys of which one is good for as long as `good` says so; the hashes looked for are in `asked`. */
  function keys() {
    const good = new Set([hashSecret(SECRET)])
    const asked: string[] = []
    const known = (sha256: string) => {
      asked.push(sha256)
      return good.has(sha256) ? CALLER : undefined
    }
    const recentSecrets = createRecentSecrets()
    atEnd(recentSecrets.stop)
    return { good, asked, recentSecrets, apiKeys: { known, find: async (sha256: string) => known(sha256) } }
  }

  it('is found by the secret, whose hash is remembered', async () => {
    const { asked, ...authentication } = keys()
    assert.equal(await authenticate(HEADER, authentication), CALLER)
    assert.equal(authentication.recentSecrets.sha256Of(HEADER), hashSecret(SECRET))
    assert.equal(authenticate(HEADER, authentication), CALLER, 'at once')
    assert.deepEqual(new Set(asked), new Set([hashSecret(SECRET)]))
  })

  it('is looked for anew with each request: a key that is good no more is refused, and forgotten', async () => {
    const { good, ...authentication } = keys()
    await authenticate(HEADER, authentication)
    good.clear()
    await assert.rejects(async () => authenticate(HEADER, authentication), { code: 'invalid_api_key' })
    assert.equal(authentication.recentSecrets.sha256Of(HEADER), undefined)
  })

  it('is not remembered when refused, so that every refusal takes the same work', async () => {
    const { good, ...authentication } = keys()
    good.clear()
    await assert.rejects(async () => authenticate(HEADER, authentication), { code: 'invalid_api_key' })
    assert.equal(authentication.recentSecrets.sha256Of(HEADER), undefined)
  })
})
