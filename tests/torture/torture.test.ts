import assert from 'node:assert/strict'
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { describeTorture, untilMoreHaveEnded } from './describe-torture.ts'
import { inflict } from './faults/inflict.ts'
import { killContracts } from './faults/processes.ts'
import { summaryOf } from './summary.ts'

describeTorture('Mint under a little torture', (run) => {
  it('gives no wrong answer while a process is killed', async () => {
    const folder = mkdtempSync(join(tmpdir(), 'mint-torture-'))
    const { history, violations } = await run({
      folder,
      async faults(scene) {
        await inflict(scene, killContracts, () => undefined)
        await untilMoreHaveEnded(scene, 50)
      },
    })
    const kept = `${violations.length} violations; history and logs are in ${folder}\n${summaryOf(history).join('\n')}`
    assert.deepEqual(violations, [], kept)
    rmSync(folder, { recursive: true })
  }).timeout(120_000)
})
