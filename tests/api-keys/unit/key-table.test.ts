import assert from 'node:assert/strict'
import type { ApiKey, HashedSecret } from '../../../shared/api-keys/evolve.ts'
import { createKeyTable } from '../../../shared/api-keys/serving/stored-keys.ts'

/** A table with one key, and a function that finds it by a secret. */
function tableOf(secrets: readonly HashedSecret[], changes: Partial<ApiKey> = {}) {
  const key = { id: 'k', kind: 'program', principal: 'k', name: 'Reader', scopes: [] } as const
  const times = { createdAt: 0, expiresAt: null, revokedAt: null }
  const table = createKeyTable()
  table.put({ view: 'api_keys', id: 'k', version: 1, at: 0, state: { ...key, ...times, secrets, ...changes } })
  return { table, nameAt: (sha256: string, now: number) => table.find(sha256, now)?.name }
}

const CURRENT = { sha256: 'current', until: null }

describe('The table of keys', () => {
  it('has a key until the moment of its expiry', () => {
    const { nameAt } = tableOf([CURRENT], { expiresAt: 100 })
    assert.deepEqual([nameAt('current', 99), nameAt('current', 100)], ['Reader', undefined])
  })

  it('has an earlier secret until its grace period or the key ends', () => {
    const secrets = [CURRENT, { sha256: 'earlier', until: 50 }, { sha256: 'long', until: 500 }]
    const { nameAt } = tableOf(secrets, { expiresAt: 100 })
    assert.deepEqual([nameAt('earlier', 49), nameAt('earlier', 50)], ['Reader', undefined])
    assert.deepEqual([nameAt('long', 99), nameAt('long', 100)], ['Reader', undefined])
  })

  it('has no revoked key, whatever the clock says, but remembers whose it was', () => {
    const { table, nameAt } = tableOf([CURRENT], { revokedAt: 100 })
    assert.deepEqual([nameAt('current', 1), nameAt('current', 100)], [undefined, undefined])
    assert.equal(table.holder('current')?.name, 'Reader')
  })
})
