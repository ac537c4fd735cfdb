import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import type { Inspection } from '../../event-sourcing/ports/inspection.ts'
import type { View, ViewDefinition } from '../../event-sourcing/ports/view.ts'
import type { FollowedLog } from '../sqlite/following/followed-log.ts'
import { openViewFollower, type ViewFollower } from '../sqlite/following/follower.ts'
import { takeViewFolder } from '../sqlite/following/view-folder.ts'
import { orUnavailable } from './availability.ts'
import type { MongoDatabaseOptions } from './database.ts'

/** The views of this process; every read is answered within PATIENCE. */
export interface Views {
  /** Opens them where that has not happened yet, brought to the log's head. */
  follower(): Promise<ViewFollower>
  /** Brings them to the log's head, where they are open. */
  catchUp(): Promise<void>
  view<State>(definition: ViewDefinition<State>): View<State>
  readonly inspection: Pick<Inspection, 'compareRows' | 'countRows' | 'rowIds'>
  close(): Promise<void>
}

/** The views of a database; not open before `follower` is called, or something is read. */
export function openViews(options: MongoDatabaseOptions, log: FollowedLog): Views {
  const { name, views, onProgress } = options
  const closing = new AbortController()
  let temporary: string | undefined
  let opening: Promise<ViewFollower> | undefined

  function follower(): Promise<ViewFollower> {
    opening ??= open().catch((error) => {
      opening = undefined
      throw error
    })
    return opening
  }

  async function open(): Promise<ViewFollower> {
    const folder = takeViewFolder(options.viewsFolder ?? makeTemporary(), name, views)
    try {
      return await openViewFollower({ folder, views, log, closing: closing.signal, ...(onProgress && { onProgress }) })
    } catch (error) {
      folder.release()
      throw error
    }
  }

  function makeTemporary(): string {
    temporary ??= mkdtempSync(join(tmpdir(), 'mint-views-'))
    return temporary
  }

  async function read<Result>(work: (follower: ViewFollower) => Promise<Result>): Promise<Result> {
    // Opening may build the views from the whole log, which takes longer than a read may.
    const opened = await follower()
    return await orUnavailable(work(opened))
  }

  return {
    follower,
    catchUp: async () => await (await opening)?.catchUp(),
    view(definition) {
      if (!views.some((view) => view.name === definition.name))
        throw new Error(`the database was opened without the view ${definition.name}`)
      return {
        definition,
        get: (id) => read((one) => one.view(definition).get(id)),
        list: (query) => read((one) => one.view(definition).list(query)),
        snapshot: (id, upTo) => read((one) => one.view(definition).snapshot(id, upTo)),
        checkpoint: () => read((one) => one.view(definition).checkpoint()),
        rebuild: async (onProgress) => await (await follower()).view(definition).rebuild(onProgress),
      }
    },
    inspection: {
      compareRows: (definition, rows) => read(({ inspection }) => inspection.compareRows(definition, rows)),
      countRows: (definition) => read(({ inspection }) => inspection.countRows(definition)),
      rowIds: (definition, after, limit) => read(({ inspection }) => inspection.rowIds(definition, after, limit)),
    },
    async close() {
      closing.abort()
      await (await opening?.catch(() => undefined))?.close()
      if (temporary !== undefined) rmSync(temporary, { recursive: true, force: true })
    },
  }
}
