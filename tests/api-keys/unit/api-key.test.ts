import assert from 'node:assert/strict'
import { type CreateApiKey, decide } from '../../../shared/api-keys/decide.ts'
import type { ApiKeyCreated, ApiKeyRevoked, ApiKeyRotated } from '../../../shared/api-keys/events.ts'
import { evolve } from '../../../shared/api-keys/evolve.ts'
import { specification, stateAfter } from '../../support/given.ts'

const given = specification({ decide, evolve })

const ID = '0199a1b2-c3d4-7e5f-8a6b-7c8d9e0f1a2b'
const created = (changes: Partial<ApiKeyCreated['data']> = {}): ApiKeyCreated => ({
  type: 'ApiKeyCreated.v1',
  data: { id: ID, name: 'Invoicing', scopes: ['contracts:read'], sha256: 'a', expiresAt: null, ...changes },
})
const rotated = (sha256: string, previousUntil: number): ApiKeyRotated => ({
  type: 'ApiKeyRotated.v1',
  data: { sha256, previousUntil },
})
const revoked: ApiKeyRevoked = { type: 'ApiKeyRevoked.v1', data: {} }

const create = (changes: Partial<ApiKeyCreated['data']> = {}): CreateApiKey => ({
  type: 'create',
  data: created(changes).data,
  at: 1_000,
})
const revoke = { type: 'revoke' } as const

describe('An API key', () => {
  it('is not created if it would already have expired', () => {
    given()
      .when(create({ expiresAt: 1_000 }))
      .thenRejected({ type: 'expiry-past' })
  })

  it('is revoked only once, even if it has expired', () => {
    given().when(revoke).thenRejected({ type: 'not-found' })
    given(created({ expiresAt: 5 }))
      .when(revoke)
      .then(revoked)
    given(created(), revoked).when(revoke).then()
  })
})

describe('The secrets of an API key', () => {
  const secretsAfter = (...events: Parameters<typeof stateAfter<unknown, ApiKeyRotated>>[1]) =>
    stateAfter({ evolve }, [created(), ...events])?.secrets

  it('are the new one and, until its grace period is over, the previous one', () => {
    assert.deepEqual(secretsAfter(rotated('b', 50)), [
      { sha256: 'b', until: null },
      { sha256: 'a', until: 50 },
    ])
  })

  it('end immediately without a grace period, whatever a gateway’s clock says', () => {
    assert.deepEqual(secretsAfter(rotated('b', 2)), [
      { sha256: 'b', until: null },
      { sha256: 'a', until: 0 },
    ])
  })

  it('are never extended by a later rotation, which may end them earlier', () => {
    assert.deepEqual(secretsAfter(rotated('b', 50), rotated('c', 90)), [
      { sha256: 'c', until: null },
      { sha256: 'b', until: 90 },
      { sha256: 'a', until: 50 },
    ])
    assert.deepEqual(secretsAfter(rotated('b', 50), rotated('c', 3)), [
      { sha256: 'c', until: null },
      { sha256: 'b', until: 0 },
      { sha256: 'a', until: 0 },
    ])
  })
})
