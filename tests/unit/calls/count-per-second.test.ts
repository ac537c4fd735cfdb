import assert from 'node:assert/strict'
import { countPerSecond } from '../../../shared/calls/count-per-second.ts'

describe('The count of calls per second', () => {
  it('remembers only a bounded number of addresses, the most recent ones', () => {
    const count = countPerSecond(1)
    count('first')
    assert.equal(count('first').isRefused, true)
    for (let index = 0; index < 10_000; index++) count(`2001:db8:${index}::/64`)
    assert.equal(count('first').isRefused, false)
    assert.equal(count('2001:db8:9999::/64').isRefused, true)
  })
})
