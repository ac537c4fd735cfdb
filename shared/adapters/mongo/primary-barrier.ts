import type { MongoConnection } from './connection.ts'

export interface PrimaryBarrier {
  /**
   * Reads from a primary that shows everything acknowledged, in the log and in the views: no answer goes out before
   * that is so after a change of primary, nor one that was read across the change.
   */
  read<Result>(run: () => Promise<Result>): Promise<Result>
}

/** What makes a new primary show everything acknowledged, one after the other. */
export interface PrimaryBarrierSteps {
  /**
   * Writes something that a majority confirms. A new primary has everything acknowledged, but may not have heard yet
   * that a majority has it, and reads less than that from the log; once a write of its own is confirmed, it reads all.
   */
  confirm(): Promise<void>
  /** Brings every view to the log's head: the rows of the last moments may be missing. */
  passHead(): Promise<void>
}

/** A barrier in front of one database. */
export function createPrimaryBarrier(
  connection: Pick<MongoConnection, 'primaryEpoch'>,
  { confirm, passHead }: PrimaryBarrierSteps,
): PrimaryBarrier {
  let passedEpoch: number | undefined
  let passing: Promise<void> | undefined

  async function pass(): Promise<void> {
    const epoch = connection.primaryEpoch()
    await confirm()
    await passHead()
    passedEpoch = epoch
  }

  return {
    async read(run) {
      for (;;) {
        while (passedEpoch !== connection.primaryEpoch()) {
          passing ??= pass().finally(() => {
            passing = undefined
          })
          await passing
        }
        const epoch = passedEpoch
        const result = await run()
        if (connection.primaryEpoch() === epoch) return result
      }
    },
  }
}
