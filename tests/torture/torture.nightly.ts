import assert from 'node:assert/strict'
import { DEFECTS } from './cluster/source-change.ts'
import { describeTorture, OPERATIONS, untilMoreHaveEnded } from './describe-torture.ts'
import { SHORT_PLAN } from './faults/all.ts'
import { inflict } from './faults/inflict.ts'

describeTorture('Mint under torture', (run) => {
  it('gives no wrong answer while a process is killed and the primary cut off, frozen and stepped down', async () => {
    const { history } = await run({
      async faults(scene) {
        for (const kind of SHORT_PLAN) await inflict(scene, kind, () => undefined)
        // This proves something only if clients made progress, during the faults and altogether.
        assert.ok(OPERATIONS.every((type) => scene.ended(type) > 0))
        await untilMoreHaveEnded(scene, 100)
      },
    })
    assert.deepEqual(
      history.fault.map(({ name }) => name),
      SHORT_PLAN.map(({ name }) => name),
    )
  }).timeout(240_000)

  it('fails the checks if its reads do not wait for the writes of other processes', async () => {
    await run({ defect: DEFECTS['stale-reads'], faults: (scene) => untilMoreHaveEnded(scene, 50) }, [
      /contract \d+: not linearizable/,
      /the list .* (?:lacks contract|has a total of)/,
    ])
  }).timeout(180_000)
})
