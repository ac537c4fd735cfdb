import assert from 'node:assert/strict'
import { setImmediate as nextTurn } from 'node:timers/promises'
import { coalescingRuns } from '../../../shared/async/coalesced-runs.ts'
import { waitFor } from '../../support/wait-for.ts'

/** Runs that the test ends by hand, with how many have begun. */
function runsByHand() {
  const begun: PromiseWithResolvers<void>[] = []
  const { run: ask, running } = coalescingRuns(() => {
    const run = Promise.withResolvers<void>()
    begun.push(run)
    return run.promise
  })
  const begins = async (count: number) => await waitFor(() => begun.length === count, { what: `${count} runs` })
  const end = (index: number): void => begun[index]?.resolve()
  return { ask, running, begun, begins, end }
}

describe('Coalesced runs', () => {
  it('serve all callers of one turn of the event loop with one run', async () => {
    const { ask, begun, begins, end } = runsByHand()
    const asked = [ask(), ask()]
    assert.equal(begun.length, 0)
    await begins(1)
    end(0)
    await Promise.all(asked)
    assert.equal(begun.length, 1)
  })

  it('serve callers that arrive during a run with one that begins after it', async () => {
    const { ask, running, begun, begins, end } = runsByHand()
    const first = ask()
    await begins(1)
    const [second, third] = [ask(), ask()]
    await nextTurn()
    assert.equal(begun.length, 1)
    end(0)
    await first
    await begins(2)
    assert.ok(running())
    end(1)
    await Promise.all([second, third])
    assert.deepEqual([begun.length, running()], [2, undefined])
  })

  it('reject all waiting callers if a run fails, and begin again with the next caller', async () => {
    const { ask, begun, begins, end } = runsByHand()
    const first = ask()
    await begins(1)
    const asked = [first, ask(), ask()].map((one) => assert.rejects(one, /away/))
    begun[0]?.reject(new Error('away'))
    await Promise.all(asked)
    assert.equal(begun.length, 1)
    const next = ask()
    await begins(2)
    end(1)
    await next
  })
})
