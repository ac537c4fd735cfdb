import { openDataFolder } from '../cli/start/data-folder.ts'
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
  // All of its databases: Mint refuses a folder that lacks one.
  const { contracts: database, close } = await openDataFolder(folder.path)
  await fillWithContracts(database, count)
  await editContracts(database, { contracts: count, edits })
  await close()
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
