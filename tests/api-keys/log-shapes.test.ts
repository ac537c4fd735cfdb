import assert from 'node:assert/strict'
import { whyUnreadable } from '../../cli/admin/log-shapes.ts'

const ID = '11111111-1111-7111-8111-111111111111'
const created = (expiresAt: number | null) => {
  const data = { id: ID, name: 'Website', scopes: ['contracts:read'], sha256: '0'.repeat(64), expiresAt }
  return whyUnreadable({ category: 'api-key', id: ID }, 1, { type: 'ApiKeyCreated.v1', data })
}

describe('The creation of an API key in a foreign log', () => {
  it('is readable with every expiry that a key may get', () => {
    for (const expiresAt of [null, Date.parse('9999-12-31T23:59:59.999Z')]) assert.equal(created(expiresAt), undefined)
  })

  it('is refused with an expiry that no answer can show', () => {
    for (const expiresAt of [Date.parse('+010000-01-01T00:00:00Z'), 8.64e15 + 1, 0.5]) {
      assert.match(created(expiresAt) ?? '', /^expiresAt: /)
    }
  })
})
