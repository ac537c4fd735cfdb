import assert from 'node:assert/strict'
import { toExpiry } from '../../../cli/commands/keys.ts'

const NOW = Date.parse('2026-01-31T09:30:00.000Z')

describe('The expiry of a key', () => {
  for (const [text, time] of [
    ['36h', '2026-02-01T21:30:00.000Z'],
    ['90d', '2026-05-01T09:30:00.000Z'],
    ['2w', '2026-02-14T09:30:00.000Z'],
  ] as const) {
    it(`can be given as ${text} from now`, () => assert.equal(toExpiry(text, NOW), time))
  }

  it('is otherwise left to the rule for timestamps', () => {
    for (const text of ['2027-01-01T00:00:00Z', '90', 'd', '-1d', '1.5d', '90D', '9999999d', '']) {
      assert.equal(toExpiry(text, NOW), text)
    }
  })
})
