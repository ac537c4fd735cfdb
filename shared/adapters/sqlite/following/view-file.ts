import { BEGINNING, type Position } from '../../../event-sourcing/event.ts'
import type { Inspection } from '../../../event-sourcing/ports/inspection.ts'
import type { AnyViewDefinition, View, ViewDefinition } from '../../../event-sourcing/ports/view.ts'
import { reading } from '../failures.ts'
import { createInspection } from '../log/inspection.ts'
import { openFile } from '../open-file.ts'
import { createProjection } from '../views/projection.ts'
import { type AppliedCommit, readApplied } from './applied-commit.ts'
import { endOf, type FollowedCommit } from './followed-log.ts'

/** A file with the views of a log that is kept elsewhere. */
export interface ViewFile {
  /** What was applied last, batches that are being written included; undefined: nothing. */
  applied(): AppliedCommit | undefined
  /**
   * Applies commits, which must follow upon the last applied, to every view. Answers when the next batch may be handed
   * over, perhaps before the rows can be read.
   */
  apply(log: string, commits: readonly FollowedCommit[]): Promise<void>
  /** Waits until the rows of everything applied can be read. Throws StoreUnavailable when they couldn't be written. */
  written(): Promise<void>
  view<State>(definition: ViewDefinition<State>): View<State>
  readonly inspection: Pick<Inspection, 'compareRows' | 'countRows' | 'rowIds'>
  close(): Promise<void>
}

/** Opens a file of views, or makes it, empty. Throws an Error of one line when it can't be used. */
export async function openViewFile(options: {
  readonly file: string
  readonly views: readonly AnyViewDefinition[]
}): Promise<ViewFile> {
  const file = await openFile(options)
  const projection = createProjection(file, [...file.views.values()])
  const readStored = (): AppliedCommit | undefined => reading(() => readApplied(file.statements))
  let applied = readStored()

  /** After a failure nothing that was handed over counts: the file says what it holds. */
  async function orAsStored(work: Promise<void>): Promise<void> {
    try {
      await work
    } catch (error) {
      await projection.written().catch(() => undefined)
      applied = readStored()
      throw error
    }
  }

  return {
    applied: () => applied,
    async apply(log, commits) {
      const last = commits.at(-1)
      if (last === undefined) return
      const after = applied?.last ?? BEGINNING
      applied = { log, commitId: last.commitId, first: last.events[0]?.position as Position, last: endOf(last) }
      const events = commits.flatMap((commit) => commit.events)
      await orAsStored(projection.apply(events, { after, applied }))
    },
    written: () => orAsStored(projection.written()),
    view: file.view,
    inspection: createInspection(file.statements),
    async close() {
      await projection.written().catch(() => undefined)
      await file.close()
    },
  }
}
