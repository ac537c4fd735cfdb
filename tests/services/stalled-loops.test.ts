import assert from 'node:assert/strict'
import type { EventStore } from '../../shared/event-sourcing/ports/event-store.ts'
import { createMetrics } from '../../shared/runtime/metrics/metrics.ts'
import { watchStalledLoops } from '../../shared/runtime/metrics/process-metrics.ts'
import { atEnd } from '../support/cleanup.ts'
import { collectingLogger } from '../support/collecting-logger.ts'
import { parseMetrics } from '../support/metrics.ts'
import { quietLogger } from '../support/quiet-logger.ts'
import { aCall, aContract, assertRefused } from '../support/requests.ts'
import { contractsOn, openServices } from '../support/services.ts'

describe('A command that is retried again and again while nothing changes', () => {
  /** A contract, and a process whose appends all end like this. */
  async function refusing(append: EventStore['append']) {
    const { contracts, contractsData } = await openServices()
    await contracts.createContract(aContract(), aCall())
    const { logger, lines } = collectingLogger()
    const metrics = createMetrics(quietLogger())
    atEnd(watchStalledLoops(metrics, logger))
    const stalled = async (loop: string) =>
      parseMetrics((await metrics.read()).text).value('mint_stalled_loops_total', { loop })
    let appends = 0
    const counted: EventStore['append'] = async (commit) => {
      appends++
      return await append(commit)
    }
    const events = { ...contractsData.events, append: counted }
    return { contracts: contractsOn({ ...contractsData, events }), lines, stalled, appends: () => appends }
  }

  for (const [what, outcome] of [
    ['dependencies 0,0', { type: 'dependency-changed' }],
    ['version 1', { type: 'wrong-version', currentVersion: 1 }],
  ] as const) {
    it(`ends as unavailable, is logged and counted, at ${what}`, async () => {
      const { contracts, lines, stalled, appends } = await refusing(async () => outcome)
      await assertRefused(contracts.editContract({ id: 1, notes: 'x' }, aCall()), 'unavailable')
      assert.ok(appends() <= 11, `tried ${appends()} times`)
      assert.deepEqual(
        lines.map(({ level, loop, stuckAt }) => ({ level, loop, stuckAt })),
        [{ level: 50, loop: 'change contract', stuckAt: what }],
      )
      assert.equal(await stalled('change contract'), 1)
    })
  }

  it('ends the same way for a creation', async () => {
    const { contracts, stalled } = await refusing(async () => ({ type: 'dependency-changed' }))
    await assertRefused(contracts.createContract(aContract(), aCall()), 'unavailable')
    assert.equal(await stalled('create contract'), 1)
  })
})
