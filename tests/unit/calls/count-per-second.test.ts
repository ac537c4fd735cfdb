import assert from 'node:assert/strict'
import { countPerSecond } from '../../../shared/calls/count-per-second.ts'

describe('The count of calls per second', () => {
  it('refuses calls beyond the limit, separately for each caller', () => {
    const count = countPerSecond(2)
    assert.deepEqual(
      ['one', 'one', 'one', 'other'].map((caller) => count(caller)),
      [
        { isRefused: false, left: 1 },
        { isRefused: false, left: 0 },
        { isRefused: true, left: 0 },
        { isRefused: false, left: 1 },
      ],
    )
  })

  it('remembers only a bounded number of addresses, the most recent ones', () => {
    const count = countPerSecond(1)
    count('first')
    assert.equal(count('first').isRefused, true)
    for (let index = 0; index < 10_000; index++) count(`2001:db8:${index}::/64`)
    assert.equal(count('first').isRefused, false)
    assert.equal(count('2001:db8:9999::/64').isRefused, true)
  })
})
