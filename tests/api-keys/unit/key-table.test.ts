import assert from 'node:assert/strict'
import type { ApiKey } from '../../../shared/api-keys/evolve.ts'
import { createKeyTable } from '../../../shared/api-keys/serving/stored-keys.ts'

const key = (changes: Partial<ApiKey> = {}): ApiKey => ({
  id: 'k',
  name: 'Invoicing',
  scopes: ['contracts:read'],
  secrets: [{ sha256: 'a', until: null }],
  createdAt: 1,
  expiresAt: null,
  revokedAt: null,
  ...changes,
})

function tableOf(...states: readonly ApiKey[]) {
  const table = createKeyTable()
  for (const [index, state] of states.entries()) {
    table.put({ view: 'api_keys', id: state.id, version: index + 1, at: index + 1, state })
  }
  return table
}

describe('The table of keys', () => {
  const caller = { id: 'k', name: 'Invoicing', scopes: ['contracts:read'] }

  it('finds a caller by each valid secret, and by nothing else', () => {
    const table = tableOf(
      key({
        secrets: [
          { sha256: 'b', until: null },
          { sha256: 'a', until: 10 },
        ],
      }),
    )
    assert.deepEqual(table.find('b', 99), caller)
    assert.deepEqual(table.find('a', 9), caller)
    assert.equal(table.find('a', 10), undefined)
    assert.equal(table.find('k', 9), undefined)
  })

  it('refuses every secret from the millisecond at which the key expires', () => {
    const secrets = [
      { sha256: 'b', until: null },
      { sha256: 'a', until: 90 },
    ]
    const table = tableOf(key({ expiresAt: 50, secrets }))
    for (const sha256 of ['a', 'b']) {
      assert.deepEqual(table.find(sha256, 49), caller)
      assert.equal(table.find(sha256, 50), undefined)
    }
  })

  it('refuses a secret ended by rotation and every secret of a revoked key, but still names the holder', () => {
    const secrets = [
      { sha256: 'b', until: null },
      { sha256: 'a', until: 0 },
    ]
    const next = key({ secrets })
    const rotated = tableOf(key(), next)
    const revoked = tableOf(key(), next, { ...next, revokedAt: 5 })
    assert.deepEqual(rotated.find('b', 5), caller)
    assert.equal(rotated.find('a', 5), undefined)
    assert.equal(revoked.find('b', 0), undefined)
    for (const sha256 of ['a', 'b'])
      assert.deepEqual([rotated.holder(sha256), revoked.holder(sha256)], [caller, caller])
    assert.equal(rotated.holder('c'), undefined)
  })
})
