import { join } from 'node:path'
import { contractsViews } from '../services/contracts/service.ts'
import { openSqliteDatabase } from '../shared/adapters/sqlite/database.main.ts'
import { temporaryFolder } from '../tests/support/temporary-folder.ts'
import { editContracts, fillWithContracts } from './fill.ts'
import { type BenchMint, startEmbedded } from './mint.ts'

export interface FilledMint extends BenchMint {
  readonly count: number
  /** In milliseconds. */
  readonly startedIn: number
}

/** Starts an embedded Mint with this many contracts, some of them edited. */
export async function startFilled(count: number, { edits = 0 } = {}): Promise<FilledMint> {
  const folder = temporaryFolder()
  const database = await openSqliteDatabase({ file: join(folder.path, 'contracts.db'), views: contractsViews })
  await fillWithContracts(database, count)
  await editContracts(database, { contracts: count, edits })
  await database.close()
  const begun = performance.now()
  const mint = await startEmbedded({ dataFolder: folder.path })
  const startedIn = performance.now() - begun
  return {
    ...mint,
    count,
    startedIn,
    async stop() {
      await mint.stop()
      folder.remove()
    },
  }
}
