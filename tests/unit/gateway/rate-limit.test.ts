import assert from 'node:assert/strict'
import { createAddressLimit } from '../../../gateway/rate-limit.ts'

describe('The rate limit by address', () => {
  it('remembers only a bounded number of addresses, the latest ones', async () => {
    const limit = createAddressLimit(1)
    await limit('first')
    await assert.rejects(limit('first'))
    for (let index = 0; index < 10_000; index++) await limit(`2001:db8:${index}::/64`)
    await limit('first')
    await assert.rejects(limit('2001:db8:9999::/64'))
  })
})
