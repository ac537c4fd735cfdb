import assert from 'node:assert/strict'
import { stateOf } from '../../../console/keys/api-key.ts'

const NOON = '2026-03-31T12:00:00.000Z'

describe('The state of an API key', () => {
  for (const [expiresAt, revokedAt, state] of [
    [null, null, 'active'],
    ['2026-03-31T12:00:00.001Z', null, 'active'],
    [NOON, null, 'expired'],
    [null, NOON, 'revoked'],
    [NOON, NOON, 'revoked'],
  ] as const) {
    it(`is ${state} with expiresAt ${expiresAt} and revokedAt ${revokedAt}`, () => {
      assert.equal(stateOf({ expiresAt, revokedAt }, new Date(NOON)), state)
    })
  }
})
