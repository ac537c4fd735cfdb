import { sharingRuns } from '../../../async/shared-runs.ts'
import type { MongoConnection } from './connection.ts'

export type PrimaryBarrier = ReturnType<typeof createPrimaryBarrier>

/**
 * A barrier in front of one database. `confirm` writes something that a majority confirms: a new primary has everything
 * acknowledged, but may not have heard yet that a majority has it, and reads less than that from the log; once a write
 * of its own is confirmed, it reads all.
 */
export function createPrimaryBarrier(connection: Pick<MongoConnection, 'primaryEpoch'>, confirm: () => Promise<void>) {
  let passedEpoch: number | undefined

  const pass = sharingRuns(async () => {
    const epoch = connection.primaryEpoch()
    await confirm()
    passedEpoch = epoch
  })

  return {
    /**
     * Reads from a primary that shows everything acknowledged: no answer goes out before that is so after a change of
     * primary, nor one that was read across the change.
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
