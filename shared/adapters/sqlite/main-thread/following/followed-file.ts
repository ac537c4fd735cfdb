import { sharingRuns } from '../../../../async/shared-runs.ts'
import { BEGINNING, type Position } from '../../../../event-sourcing/event.ts'
import { StoreUnavailable } from '../../../../event-sourcing/ports/event-store.ts'
import type { AnyViewDefinition } from '../../../../event-sourcing/ports/view.ts'
import { type AppliedCommit, readApplied } from '../../any-thread/applied-commit.ts'
import { isDamage, reading } from '../../any-thread/failures.ts'
import { type OpenFile, openFile } from '../open-file.ts'
import { createProjection } from '../views/projection.ts'
import type { FollowedCommit, FollowedLog } from './followed-log.ts'
import type { ViewFolder } from './view-folder.ts'

/** A file with the views of a log that is kept elsewhere. */
export type FollowedFile = Awaited<ReturnType<typeof openFollowedFile>>

export interface FollowedFileOptions {
  readonly folder: ViewFolder
  readonly views: readonly AnyViewDefinition[]
  readonly log: FollowedLog
  /** Aborted when nothing is to be read any more, also while the views are being built. */
  readonly closing: AbortSignal
  /** Called with the position reached while the views are more than one batch behind. */
  readonly onProgress?: ((reached: Position) => void) | undefined
}

/**
 * Opens the views in a folder and brings them to the log's head. A file that can't be used, or whose log is not this
 * one, is removed, and built anew from the log. Throws StoreUnavailable when that can't be done now.
 */
export async function openFollowedFile(options: FollowedFileOptions) {
  const { folder, views } = options
  const open = () => openFile({ file: folder.file, views })
  let file = await open().catch(openAnew)
  let isUseless = false

  async function openAnew(): Promise<OpenFile> {
    folder.clear()
    return await open().catch((cause) => {
      throw new StoreUnavailable(`the views can't be built now: ${cause.message}`, { cause })
    })
  }

  async function round(): Promise<void> {
    if (options.closing.aborted) throw databaseClosed()
    if (isUseless) {
      await file.close()
      file = await openAnew()
      isUseless = false
    }
    if ((await applyNew(file, options)) === 'applied') return
    isUseless = true
    await round()
  }

  /** A damaged or removed file is of no use any more: the next round builds it anew. */
  async function noticingDamage<Result>(work: () => Promise<Result>): Promise<Result> {
    try {
      return await work()
    } catch (error) {
      isUseless ||= isDamage(error)
      throw error
    }
  }

  const rounds = sharingRuns(() => noticingDamage(round))
  const catchUp = rounds.next

  const position = (): Position => appliedIn(file)?.last ?? BEGINNING

  await catchUp().catch(async (error) => {
    await file.close()
    throw error
  })
  return {
    /** Brings the views up to where the log's head is now. One round serves all who ask before it begins. */
    catchUp,
    /** Reads what shows everything that the log had acknowledged when the read began. */
    async read<Result>(work: (from: OpenFile) => Promise<Result>) {
      await catchUp()
      return await noticingDamage(() => work(file))
    },
    /** Removes the file, and builds the views from the log. Answers the position that they have reached. */
    async rebuild() {
      isUseless = true
      await catchUp()
      return position()
    },
    /** How far the views are now. */
    position,
    /** To be called once `closing` is aborted. */
    async close() {
      await rounds.latest()?.catch(() => undefined)
      await file.close()
      folder.release()
    },
  }
}

/** Applies the log's commits after the last applied, up to where the log ends; `diverged`: they are of another log. */
async function applyNew(
  file: OpenFile,
  { log, closing, onProgress }: FollowedFileOptions,
): Promise<'applied' | 'diverged'> {
  const projection = createProjection(file, [...file.views.values()])
  let last = appliedIn(file)
  try {
    for (;;) {
      const batch = last && last.log !== log.id ? 'diverged' : await log.readAfter(last)
      if (closing.aborted) throw databaseClosed()
      if (batch === 'diverged') return batch
      const next = toApplied(log, batch.commits) ?? last
      const events = batch.commits.flatMap((commit) => commit.events)
      if (next) await projection.apply(events, { after: last?.last ?? BEGINNING, applied: next })
      last = next
      if (batch.isLast) return 'applied'
      onProgress?.(last?.last ?? BEGINNING)
    }
  } finally {
    await projection.written()
  }
}

const databaseClosed = (): StoreUnavailable => new StoreUnavailable('the database is closed')

const appliedIn = (file: OpenFile): AppliedCommit | undefined => reading(() => readApplied(file.statements))

function toApplied(log: FollowedLog, commits: readonly FollowedCommit[]): AppliedCommit | undefined {
  const { identity: commit, events = [] } = commits.at(-1) ?? {}
  const [first, last] = [events[0]?.position, events.at(-1)?.position]
  return commit && first && last ? { log: log.id, commit, first, last } : undefined
}
