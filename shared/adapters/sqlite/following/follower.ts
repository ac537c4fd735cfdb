import { BEGINNING, type Position } from '../../../event-sourcing/event.ts'
import { StoreUnavailable } from '../../../event-sourcing/ports/event-store.ts'
import type { Inspection } from '../../../event-sourcing/ports/inspection.ts'
import type { AnyViewDefinition, View, ViewDefinition } from '../../../event-sourcing/ports/view.ts'
import { sharingRuns } from '../../../event-sourcing/shared-runs.ts'
import { isDamage, reading } from '../failures.ts'
import { createInspection } from '../log/inspection.ts'
import { type OpenFile, openFile } from '../open-file.ts'
import { createProjection } from '../views/projection.ts'
import { type AppliedCommit, readApplied } from './applied-commit.ts'
import type { FollowedCommit, FollowedLog } from './followed-log.ts'
import type { ViewFolder } from './view-folder.ts'

/** Views of a log that is kept elsewhere. */
export interface ViewFollower {
  /** A view whose every read shows all that the log had acknowledged when the read began. */
  view<State>(definition: ViewDefinition<State>): View<State>
  /** Of the rows, brought up to the log's head first. */
  readonly inspection: Pick<Inspection, 'compareRows' | 'countRows' | 'rowIds'>
  /** Brings the views up to where the log's head is now. One round serves all who ask before it begins. */
  catchUp(): Promise<void>
  /** To be called once `closing` is aborted. */
  close(): Promise<void>
}

export interface ViewFollowerOptions {
  readonly folder: ViewFolder
  readonly views: readonly AnyViewDefinition[]
  readonly log: FollowedLog
  /** Aborted when nothing is to be read any more, also while the views are being built. */
  readonly closing: AbortSignal
  /** Told how far the views are while more than a round is behind them. */
  readonly onProgress?: (reached: Position) => void
}

/**
 * Opens the views in a folder and brings them to the log's head. A file that can't be used, or whose log is not this
 * one, is removed, and built anew from the log. Throws StoreUnavailable when that can't be done now.
 */
export async function openViewFollower(options: ViewFollowerOptions): Promise<ViewFollower> {
  const { folder, views, log, closing, onProgress } = options
  const open = () => openFile({ file: folder.file, views })
  let file = await open().catch(openAnew)
  let isUseless = false
  let lastRound: Promise<void> = Promise.resolve()

  async function openAnew(): Promise<OpenFile> {
    folder.clear()
    return await open().catch((cause) => {
      throw new StoreUnavailable(`the views can't be built now: ${cause.message}`, { cause })
    })
  }

  function applied(): AppliedCommit | undefined {
    return reading(() => readApplied(file.statements))
  }

  const position = (): Position => applied()?.last ?? BEGINNING

  function checkOpen(): void {
    if (closing.aborted) throw new StoreUnavailable('the database is closed')
  }

  async function round(): Promise<void> {
    checkOpen()
    if (isUseless) {
      await file.close()
      file = await openAnew()
      isUseless = false
    }
    if ((await applyNew()) === 'diverged') {
      isUseless = true
      await round()
    }
  }

  /** Applies the log's commits after the last applied, up to where the log ends. */
  async function applyNew(): Promise<'done' | 'diverged'> {
    const projection = createProjection(file, [...file.views.values()])
    let last = applied()
    try {
      for (;;) {
        const batch = last && last.log !== log.id ? 'diverged' : await log.readAfter(last)
        checkOpen()
        if (batch === 'diverged') return batch
        const next = toApplied(log, batch.commits) ?? last
        const events = batch.commits.flatMap((commit) => commit.events)
        if (next) await projection.apply(events, { after: last?.last ?? BEGINNING, applied: next })
        last = next
        if (batch.isLast) return 'done'
        onProgress?.(last?.last ?? BEGINNING)
      }
    } finally {
      await projection.written()
    }
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

  const catchUp = sharingRuns(() => {
    lastRound = noticingDamage(round)
    return lastRound
  })

  async function upToDate<Result>(read: (from: OpenFile) => Promise<Result>): Promise<Result> {
    await catchUp()
    return await noticingDamage(() => read(file))
  }

  const inspect = <Result>(read: (inspection: Inspection) => Promise<Result>): Promise<Result> =>
    upToDate(({ statements }) => read(createInspection(statements)))

  await catchUp().catch(async (error) => {
    await file.close()
    throw error
  })
  return {
    catchUp,
    view: (definition) => ({
      definition,
      get: (id) => upToDate((from) => from.view(definition).get(id)),
      list: (query) => upToDate((from) => from.view(definition).list(query)),
      snapshot: (id, upTo) => upToDate((from) => from.view(definition).snapshot(id, upTo)),
      checkpoint: () => file.view(definition).checkpoint(),
      async rebuild(onProgress = () => undefined) {
        isUseless = true
        await catchUp()
        onProgress(position())
      },
    }),
    inspection: {
      compareRows: (definition, rows) => inspect((inspection) => inspection.compareRows(definition, rows)),
      countRows: (definition) => inspect((inspection) => inspection.countRows(definition)),
      rowIds: (definition, after, limit) => inspect((inspection) => inspection.rowIds(definition, after, limit)),
    },
    async close() {
      await lastRound.catch(() => undefined)
      await file.close()
      folder.release()
    },
  }
}

function toApplied(log: FollowedLog, commits: readonly FollowedCommit[]): AppliedCommit | undefined {
  const { commitId, events = [] } = commits.at(-1) ?? {}
  const [first, last] = [events[0]?.position, events.at(-1)?.position]
  return commitId && first && last ? { log: log.id, commitId, first, last } : undefined
}
