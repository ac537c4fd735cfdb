import assert from 'node:assert/strict'
import type { ApiKey } from '../../../shared/api-keys/evolve.ts'
import { SCOPES } from '../../../shared/api-keys/scopes.ts'
import { hashSecret } from '../../../shared/api-keys/secret.ts'
import { acceptedKeys, configuredKey } from '../../../shared/api-keys/serving/accepted-keys.ts'
import type { StoredApiKeys } from '../../../shared/api-keys/serving/api-keys.ts'
import { createKeyTable } from '../../../shared/api-keys/serving/stored-keys.ts'
import { StoreUnavailable } from '../../../shared/event-sourcing/ports/event-store.ts'
import { staticApiKeys } from '../../support/static-api-keys.ts'

const SECRET = 'mint_a-configured-secret'
const sha256 = hashSecret(SECRET)
const configured = configuredKey(SECRET)
const stored = { kind: 'program', name: 'Stored', scopes: ['contracts:read'] } as const
const same = { ...stored, id: 'stored', principal: 'stored', sha256 }
const other = { ...stored, id: 'other', principal: 'other', sha256: hashSecret('mint_another-secret-of-the-store') }

const keysOf = (key: typeof configured | undefined, keys: StoredApiKeys | undefined) =>
  acceptedKeys(
    () => key,
    () => keys,
  )

describe('The accepted keys', () => {
  it('include only the configured one until the store is open; all others are unavailable, not unknown', async () => {
    const keys = keysOf(configured, undefined)
    assert.equal(keys.known(sha256)?.id, configured.id)
    assert.equal((await keys.find(sha256))?.id, configured.id)
    assert.equal(keys.known(other.sha256), undefined)
    await assert.rejects(keys.find(other.sha256), StoreUnavailable)
  })

  it('reveal nothing about the configured secret', () => {
    const { id } = configured
    const caller = { id, kind: 'program', principal: id, name: 'configured', scopes: SCOPES }
    assert.deepEqual(keysOf(configured, undefined).known(sha256), caller)
  })

  it('include the stored ones, with or without a configured one', async () => {
    for (const key of [configured, undefined]) {
      const keys = keysOf(key, staticApiKeys([other]))
      assert.equal(keys.known(other.sha256)?.id, 'other')
      assert.equal((await keys.find(other.sha256))?.id, 'other')
      assert.equal((await keys.find(sha256))?.id, key?.id)
    }
  })

  it('give a stored key all scopes, under its stored id, while it is also configured', () => {
    const keys = keysOf(configured, staticApiKeys([same]))
    const { id, name, scopes } = keys.known(sha256) ?? {}
    assert.deepEqual({ id, name, scopes }, { id: 'stored', name: 'Stored', scopes: SCOPES })
  })

  it('have the names of all keys; until the store is open, all others are unavailable, not unknown', async () => {
    const keys = keysOf(configured, staticApiKeys([other]))
    assert.deepEqual(await Promise.all([configured.id, 'other', 'unknown'].map(keys.nameOf)), [
      'configured',
      'Stored',
      null,
    ])
    const alone = keysOf(configured, undefined)
    assert.equal(await alone.nameOf(configured.id), 'configured')
    await assert.rejects(alone.nameOf('other'), StoreUnavailable)
  })

  it('keep the stored id of a configured key, even after it was rotated or revoked', async () => {
    const secrets = [
      { sha256: 'a new one', until: null },
      { sha256, until: 0 },
    ]
    const key = { ...same, secrets, createdAt: 1, expiresAt: null }
    for (const revokedAt of [null, 2]) {
      const table = createKeyTable()
      table.put({ view: 'api_keys', id: key.id, version: 1, at: 1, state: { ...key, revokedAt } })
      const known = (secret: string) => table.find(secret, 3)
      const ended = { ...staticApiKeys([]), known, find: async () => undefined, holder: table.holder }
      const keys = keysOf(configured, ended)
      assert.equal(keys.known(sha256)?.id, 'stored')
      assert.equal((await keys.find(sha256))?.id, 'stored')
      const withoutConfigured = keysOf(undefined, ended)
      assert.equal(withoutConfigured.known(sha256), undefined)
    }
  })
})

describe('The table of keys', () => {
  it('names a principal after its latest key, whatever happens to earlier ones, and as of any moment', () => {
    const table = createKeyTable()
    const put = (id: string, state: Partial<ApiKey>) => {
      const key = { ...stored, id, kind: 'person', principal: 'ann', secrets: [], createdAt: 1 } as const
      table.put({ view: 'api_keys', id, version: 1, at: 1, state: { ...key, expiresAt: 9, revokedAt: null, ...state } })
    }
    assert.equal(table.nameOf('ann'), undefined)
    put('first', { name: 'Ann Miller' })
    put('second', { name: 'Ann Baker', createdAt: 4 })
    put('first', { name: 'Ann Miller', revokedAt: 5 })
    put('third', { name: 'Ann Baker', createdAt: 6 })
    assert.equal(table.nameOf('ann'), 'Ann Baker')
    // A clock that is slightly behind must not leave a principal without a name.
    const names = [0, 1, 3, 4, 7].map((at) => table.nameOf('ann', at))
    assert.deepEqual(names, ['Ann Miller', 'Ann Miller', 'Ann Miller', 'Ann Baker', 'Ann Baker'])
  })
})
