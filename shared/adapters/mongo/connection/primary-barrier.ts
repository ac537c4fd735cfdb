import { coalescingRuns } from '../../../async/coalesced-runs.ts'
import { sharingRuns } from '../../../async/shared-runs.ts'
import type { MongoConnection } from './connection.ts'

export type PrimaryBarrier = ReturnType<typeof createPrimaryBarrier>

/**
 * A barrier for one database. `confirm` makes a write that a majority confirms. A new primary has every acknowledged
 * write, but may not know yet that a majority has them, so its majority reads may miss some; once a write of its own is
 * confirmed, they show all.
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
     * Resolves once a majority has confirmed a write that began after the call; concurrent callers share it. A primary
     * that was deposed before the call can confirm none.
     */
    confirmed: confirming.run,
    /**
     * Reads from a primary that shows everything acknowledged. After a change of primary, nothing is returned until the
     * new one does, and never a result that was read across the change.
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
