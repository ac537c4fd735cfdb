import { coalescingRuns } from '../../../async/coalesced-runs.ts'
import { BEGINNING, type Position } from '../../../event-sourcing/event.ts'
import { StoreUnavailable } from '../../../event-sourcing/ports/event-store.ts'
import type { AnyViewDefinition } from '../../../event-sourcing/ports/view.ts'
import { isDamage, isFullDisk, reading } from '../file/failures.ts'
import { type OpenFile, openFile } from '../file/open-file.main.ts'
import { createIndexes } from '../views/open-view.main.ts'
import { createProjection } from '../views/projection.main.ts'
import { type AppliedCommit, readApplied } from './applied-commit.ts'
import type { ReadFollowed } from './followed-log.ts'
import type { ViewFolder } from './view-folder.main.ts'

/** A file with the views of a log that is stored elsewhere. */
export type FollowedFile = Awaited<ReturnType<typeof openFollowedFile>>

export interface FollowedFileOptions {
  readonly folder: ViewFolder
  readonly views: readonly AnyViewDefinition[]
  readonly readLog: ReadFollowed
  /** Abort it to stop all reads, even while the views are being built. */
  readonly closing: AbortSignal
  /** Called with the position reached while the views are more than one batch behind. */
  readonly onProgress?: ((reached: Position) => void) | undefined
  /** Called when the log was set back to an earlier state while the views are open; they are rebuilt in any case. */
  readonly onSetBack?: (() => void) | undefined
}

/**
 * Opens the views in a folder and brings them to the log's head. A file that can't be used, or that belongs to another
 * log, is removed and rebuilt from the log. Throws StoreUnavailable when that is impossible now.
 */
export async function openFollowedFile(options: FollowedFileOptions) {
  const { folder, views } = options
  const open = () => openFile({ file: folder.file, views, leavesIndexes: true })
  let file = await open().catch(rebuildFile)
  let indexed: OpenFile | undefined
  let mustRebuild = false

  async function rebuildFile(): Promise<OpenFile> {
    folder.clear()
    return await open().catch((cause) => {
      throw new StoreUnavailable(`the views can't be built now: ${cause.message}`, { cause })
    })
  }

  const checkOpen = (): void => {
    if (options.closing.aborted) throw databaseClosed()
  }

  async function round(): Promise<void> {
    checkOpen()
    if (mustRebuild) {
      await file.close()
      file = await rebuildFile()
      mustRebuild = false
    }
    if ((await applyNew(file, options)) === 'diverged') {
      if (indexed === file) options.onSetBack?.()
      mustRebuild = true
      return await round()
    }
    if (indexed === file) return
    for (const { tables } of file.views.values()) await createIndexes(file.writer, tables(), checkOpen)
    indexed = file
  }

  /** After a read of a damaged or removed file, the next round rebuilds it. */
  async function detectingDamage<Result>(work: () => Promise<Result>): Promise<Result> {
    try {
      return await work()
    } catch (error) {
      mustRebuild ||= isDamage(error)
      if (!isFullDisk(error)) throw error
      throw new StoreUnavailable(`the disk with the views is full: make room next to ${folder.file}`, { cause: error })
    }
  }

  const rounds = coalescingRuns(() => detectingDamage(round))
  const catchUp = rounds.run

  const position = (): Position => appliedIn(file)?.last ?? BEGINNING

  await catchUp().catch(async (error) => {
    await file.close()
    throw error
  })
  return {
    /** Brings the views to the log's current head. One round serves all callers that arrive before it begins. */
    catchUp,
    /** Reads from views that show everything that the log had acknowledged when the read began. */
    async read<Result>(work: (from: OpenFile) => Promise<Result>) {
      await catchUp()
      return await detectingDamage(() => work(file))
    },
    /** Removes the file and rebuilds the views from the log. Returns the position that they have reached. */
    async rebuild() {
      mustRebuild = true
      await catchUp()
      return position()
    },
    /** How far the views are now. */
    position,
    /** Call it after `closing` is aborted. */
    async close() {
      await rounds.running()?.catch(() => undefined)
      await file.close()
      folder.release()
    },
  }
}

/** Applies the commits after the last applied one, up to the log's end; `diverged`: it is no longer the same log. */
async function applyNew(
  file: OpenFile,
  { readLog, closing, onProgress }: FollowedFileOptions,
): Promise<'applied' | 'diverged'> {
  const projection = createProjection(file, [...file.views.values()])
  let last = appliedIn(file)
  try {
    for (;;) {
      const batch = await readLog(last)
      if (closing.aborted) throw databaseClosed()
      if (batch === 'diverged') return batch
      if (batch.last) await projection.apply(batch.events, { after: last?.last ?? BEGINNING, applied: batch.last })
      if (batch.isLast) return 'applied'
      last = batch.last ?? last
      onProgress?.(last?.last ?? BEGINNING)
    }
  } finally {
    await projection.written()
  }
}

const databaseClosed = (): StoreUnavailable => new StoreUnavailable('the database is closed')

const appliedIn = (file: OpenFile): AppliedCommit | undefined => reading(() => readApplied(file.statements))
