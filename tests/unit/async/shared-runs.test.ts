import assert from 'node:assert/strict'
import { ONCE, sharingRuns } from '../../../shared/async/shared-runs.ts'

describe('Shared runs', () => {
  it('can be joined by callers that arrive during a run, and begin again with the next caller', async () => {
    let begun = 0
    const { join } = sharingRuns(async () => ++begun)
    assert.deepEqual(await Promise.all([join(), join()]), [1, 1])
    assert.equal(await join(), 2)
  })

  it('that happen once are retried until one succeeds, and repeated after it is forgotten', async () => {
    let begun = 0
    const { join, latest, forget } = sharingRuns(async () => {
      begun += 1
      if (begun === 1) throw new Error('away')
      return begun
    }, ONCE)
    await assert.rejects(join(), /away/)
    assert.equal(latest(), undefined)
    assert.deepEqual([await join(), await join(), await latest()], [2, 2, 2])
    forget()
    assert.equal(await join(), 3)
  })
})
