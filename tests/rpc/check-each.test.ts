import assert from 'node:assert/strict'
import { setImmediate as nextTurn } from 'node:timers/promises'
import { checkEach } from '../../shared/kinds/check-new.ts'

describe('Checking each item in a request', () => {
  it('returns results in order, with at most 50 checks at a time', async () => {
    let [running, peak] = [0, 0]
    const things = Array.from({ length: 120 }, (_, index) => index)
    const verdicts = checkEach(things, '/things', async (thing) => {
      running += 1
      peak = Math.max(peak, running)
      await nextTurn()
      running -= 1
      return -thing
    })
    assert.deepEqual(
      await verdicts,
      things.map((thing) => -thing),
    )
    assert.equal(peak, 50)
  })

  it('gives other work a turn, even if every check is answered from memory', async () => {
    let turns = 0
    setImmediate(() => (turns += 1))
    const verdicts = await checkEach(Array.from({ length: 51 }), '/things', async () => turns)
    assert.deepEqual([verdicts[0], verdicts[50]], [0, 1])
  })

  it('refuses more than 5,000 items before it checks any', async () => {
    const none = () => assert.fail('checked')
    await assert.rejects(checkEach(Array.from({ length: 5_001 }), '/things', none), {
      code: 'validation_failed',
      violations: [
        { pointer: '/things', code: 'out_of_range', message: 'At most 5,000 are checked at once. Send fewer.' },
      ],
    })
  })
})
