import assert from 'node:assert/strict'
import { countedAddress } from '../../../shared/calls/counted-address.ts'

describe('The address under which a caller is counted', () => {
  for (const [address, counted] of [
    ['203.0.113.7', '203.0.113.7'],
    ['::ffff:203.0.113.7', '203.0.113.7'],
    ['2001:db8:1:2:3:4:5:6', '2001:db8:1:2::/64'],
    ['2001:DB8:0001:2::9', '2001:db8:1:2::/64'],
    ['2001:db8::1', '2001:db8:0:0::/64'],
    ['fe80::1%eth0', 'fe80:0:0:0::/64'],
    ['::1', '0:0:0:0::/64'],
    ['::', '0:0:0:0::/64'],
  ] as const) {
    it(`for ${address} is ${counted}`, () => assert.equal(countedAddress(address), counted))
  }
})
