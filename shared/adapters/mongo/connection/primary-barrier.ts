import { coalescingRuns } from '../../../async/coalesced-runs.ts'
import { sharingRuns } from '../../../async/shared-runs.ts'
import type { MongoConnection } from './connection.ts'

export type PrimaryBarrier = ReturnType<typeof createPrimaryBarrier>

/**
 * A barrier for one database. `confirm` does a write that a majority confirms. A new primary has everything
 * acknowledged, but may not know yet that a majority has it, so its majority reads may miss some; once a write of its
 * own is confirmed, they show everything.
 */
export function createPrimaryBarrier(connection: Pick<MongoConnection, 'primaryEpoch'>, confirm: () => Promise<void>) {
  let passedEpoch: number | undefined

  const pass = sharingRuns(async () => {
    const epoch = connection.primaryEpoch()
    await confirm()
    passedEpoch = epoch
  })

  const confirming = coalescingRuns(confirm)

  return {
    /**
     * Resolves after a write, begun after the call and shared with others who call meanwhile, that a majority has
     * confirmed: a primary that was deposed before the call confirms none.
     */
    confirmed: confirming.run,
    /**
     * Reads from a primary that shows everything acknowledged. After a change of primary no result is returned before
     * that holds, nor one read across the change.
     */
    async read<Result>(run: () => Promise<Result>) {
      for (;;) {
        while (passedEpoch !== connection.primaryEpoch()) await pass.join()
        const epoch = passedEpoch
        const result = await run()
        if (connection.primaryEpoch() === epoch) return result
      }
    },
  }
}
