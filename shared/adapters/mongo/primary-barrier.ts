import type { MongoConnection } from './connection.ts'

export interface PrimaryBarrier {
  /**
   * Reads from the views on a primary whose views hold everything acknowledged: after a change of primary the rows of
   * the last moments may be missing until the catch-up has passed the log's head, and no answer goes out before that,
   * nor one that was read across the change.
   */
  read<Result>(run: () => Promise<Result>): Promise<Result>
}

/** @param passHead brings every view to the log's head */
export function createPrimaryBarrier(connection: MongoConnection, passHead: () => Promise<void>): PrimaryBarrier {
  let passedEpoch: number | undefined
  let passing: Promise<void> | undefined

  async function pass(): Promise<void> {
    const epoch = connection.primaryEpoch()
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
