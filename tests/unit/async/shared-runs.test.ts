import assert from 'node:assert/strict'
import { ONCE, sharingRuns } from '../../../shared/async/shared-runs.ts'

/** Runs that the test ends by hand, with how many have begun. */
function runsByHand() {
  const begun: PromiseWithResolvers<void>[] = []
  const { next: ask } = sharingRuns(() => {
    const run = Promise.withResolvers<void>()
    begun.push(run)
    return run.promise
  })
  const end = (index: number): void => begun[index]?.resolve()
  return { ask, begun, end }
}

describe('Shared runs', () => {
  it('serve callers that arrive during a run with one that begins after it', async () => {
    const { ask, begun, end } = runsByHand()
    const first = ask()
    const [second, third] = [ask(), ask()]
    assert.equal(begun.length, 1)
    end(0)
    await first
    const settled = await Promise.race([second.then(() => 'settled'), Promise.resolve('waiting')])
    assert.equal(settled, 'waiting')
    assert.equal(begun.length, 2)
    end(1)
    await Promise.all([second, third])
    assert.equal(begun.length, 2)
  })

  it('reject all waiting callers if a run fails, and begin again with the next caller', async () => {
    const { ask, begun, end } = runsByHand()
    const asked = [ask(), ask(), ask()]
    begun[0]?.reject(new Error('away'))
    for (const one of asked) await assert.rejects(one, /away/)
    assert.equal(begun.length, 1)
    const next = ask()
    end(1)
    await next
    assert.equal(begun.length, 2)
  })

  it('can be joined by callers that arrive meanwhile, and begin again with the next caller', async () => {
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
