import { ONCE, sharingRuns } from '../../async/shared-runs.ts'
import type { Position } from '../../event-sourcing/event.ts'
import { StoreUnavailable } from '../../event-sourcing/ports/event-store.ts'
import type { Inspection } from '../../event-sourcing/ports/inspection.ts'
import type { AnyViewDefinition, View, ViewDefinition } from '../../event-sourcing/ports/view.ts'
import type { OpenFile } from '../sqlite/file/open-file.main.ts'
import { type FollowedFile, openFollowedFile } from '../sqlite/following/followed-file.main.ts'
import type { ReadFollowed } from '../sqlite/following/followed-log.ts'
import { takeViewFolder } from '../sqlite/following/view-folder.main.ts'
import { createInspection } from '../sqlite/log/inspection.main.ts'
import { orUnavailable } from './connection/availability.ts'

export interface ViewsOptions {
  /** Name of the service's database. */
  readonly name: string
  readonly views: readonly AnyViewDefinition[]
  /** Where this process stores the files of its views. */
  readonly viewsFolder: string
  /** Called while views are built before they can be read. */
  readonly onProgress?: (reached: Position) => void
  /** Called when the log was set back to an earlier state while it is open: what the process has in memory is wrong. */
  readonly onSetBack?: () => void
}

/** The views of this process. */
export type Views = ReturnType<typeof openViews>

/**
 * The views of this process, opened by `build` or by the first read. Once they are open, every read ends within
 * CALL_TIMEOUT.
 */
export function openViews(options: ViewsOptions, readLog: ReadFollowed) {
  const { name, views, onProgress, onSetBack } = options
  const closing = new AbortController()

  const file = sharingRuns(async (): Promise<FollowedFile> => {
    if (closing.signal.aborted) throw new StoreUnavailable('the database is closed')
    const folder = takeViewFolder(options.viewsFolder, name, views)
    return await openFollowedFile({ folder, views, readLog, closing: closing.signal, onProgress, onSetBack }).catch(
      (error) => {
        folder.release()
        throw error
      },
    )
  }, ONCE)

  async function read<Result>(work: (file: OpenFile) => Promise<Result>): Promise<Result> {
    // Opening may build the views from the whole log, which can take longer than a read may.
    const followed = await file.join()
    return await orUnavailable(followed.read(work))
  }

  return {
    /** Opens the views at the log's head, if they aren't open yet. */
    build: async () => void (await file.join()),
    /** Brings open views to the log's head. */
    catchUp: async () => await (await file.latest())?.catchUp(),
    view<State>(definition: ViewDefinition<State>): View<State> {
      if (!views.some((view) => view.name === definition.name))
        throw new Error(`the database was opened without the view ${definition.name}`)
      return {
        definition,
        get: (id) => read((file) => file.view(definition).get(id)),
        list: (query) => read((file) => file.view(definition).list(query)),
        snapshot: (id, upTo) => read((file) => file.view(definition).snapshot(id, upTo)),
        ledger: {
          latest: () => read((file) => file.view(definition).ledger.latest()),
          sums: (query) => read((file) => file.view(definition).ledger.sums(query)),
          lines: (query) => read((file) => file.view(definition).ledger.lines(query)),
          changes: (query) => read((file) => file.view(definition).ledger.changes(query)),
        },
        checkpoint: async () => (await file.join()).position(),
        async rebuild(report) {
          const reached = await (await file.join()).rebuild()
          report?.(reached)
        },
      }
    },
    /** Inspects the rows as stored. */
    inspect: <Result>(work: (rows: Inspection) => Promise<Result>): Promise<Result> =>
      read(({ statements }) => work(createInspection(statements))),
    async close() {
      closing.abort()
      await (await file.latest()?.catch(() => undefined))?.close()
    },
  }
}
