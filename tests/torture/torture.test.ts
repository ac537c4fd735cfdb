import { describeTorture, untilMoreHaveEnded } from './describe-torture.ts'
import { inflict } from './faults/inflict.ts'
import { killContracts } from './faults/processes.ts'

describeTorture('Mint under a little torture', (run) => {
  it('gives no wrong answer while a process is killed', async () => {
    await run({
      async faults(scene) {
        await inflict(scene, killContracts, () => undefined)
        await untilMoreHaveEnded(scene, 50)
      },
    })
  }).timeout(120_000)
})
