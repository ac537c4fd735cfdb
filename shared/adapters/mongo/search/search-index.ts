import { randomUUID } from 'node:crypto'
import { setTimeout as delay } from 'node:timers/promises'
import type { Collection, Db } from 'mongodb'
import { holdLease } from '../../../event-sourcing/held-lease.ts'
import type { LeasedCheckpoints } from '../../../event-sourcing/ports/leased-checkpoints.ts'
import type { AnyViewDefinition } from '../../../event-sourcing/ports/view.ts'
import type { CommitDocument } from '../log/commit-document.ts'
import { type Follower, followLog } from '../log/follow-log.ts'
import { NOTHING_YET, type ViewCheckpoints } from '../views/view-checkpoints.ts'
import type { RowDocument } from '../views/view-row.ts'
import { bringUpToDate, buildAnew, isBehind } from './maintenance.ts'
import { createManifests } from './manifest.ts'
import { type SearchPage, searchIndexed } from './query.ts'
import { removeOlder } from './removal.ts'
import type { SearchSettings } from './settings.ts'

/** How often to look for news when nothing wakes it, in milliseconds. */
const IDLE_INTERVAL = 5_000
/** One process at a time maintains a view's index; another one goes on so long after it died, in milliseconds. */
const LEASE = 10_000
const LEASE_RETRY = 200

/** Indexes that find any part of a text in a view's rows. */
export interface SearchIndex {
  /** One page of the rows that have a text, and their number; undefined: the view has no index. */
  find(
    definition: AnyViewDefinition,
    page: SearchPage,
  ): Promise<{ readonly documents: readonly RowDocument[]; readonly total: number } | undefined>
  /**
   * Answers when everything up to the view's checkpoint is entered, by this process or another one; what older schemas
   * of the view have left is cleared away.
   */
  catchUp(definition: AnyViewDefinition): Promise<void>
  /** Makes a view's index anew from its rows. */
  rebuild(definition: AnyViewDefinition): Promise<void>
  /** Keeps the indexes of these views up to date. */
  follow(definitions: readonly AnyViewDefinition[]): Follower
}

export interface SearchIndexParts {
  readonly db: Db
  readonly log: Collection<CommitDocument>
  readonly leases: LeasedCheckpoints
  readonly checkpoints: ViewCheckpoints
  readonly settings: SearchSettings
}

/** The search indexes of one database's views. */
export function createSearchIndex(parts: SearchIndexParts): SearchIndex {
  const { leases, checkpoints, settings } = parts
  const manifests = createManifests(parts.db)
  const all = { ...parts, manifests }

  /** Does the work unless another process is at it; false: it is. */
  async function alone(definition: AnyViewDefinition, work: () => Promise<void>): Promise<boolean> {
    const lease = await leases.acquire(`search ${definition.name}@${definition.schema}`, randomUUID(), LEASE)
    if (lease === undefined) return false
    const held = holdLease(lease, LEASE / 3)
    try {
      await work()
      return true
    } finally {
      await held.letGo()
    }
  }

  return {
    find: (definition, page) => searchIndexed(all, definition, page),

    async catchUp(definition) {
      while (await isBehind(all, definition)) {
        const done = await alone(definition, () => bringUpToDate(all, definition, () => false))
        if (!done) await delay(LEASE_RETRY)
      }
      await removeOlder(parts.db, manifests, definition)
    },

    async rebuild(definition) {
      const { count } = (await checkpoints.read(definition)) ?? NOTHING_YET
      if (count < settings.from && (await manifests.read(definition)) === undefined) return
      while (!(await alone(definition, () => buildAnew(all, definition)))) await delay(LEASE_RETRY)
    },

    follow(definitions) {
      const round = async (isStopping: () => boolean): Promise<void> => {
        for (const definition of definitions) {
          if (!(await isBehind(all, definition))) continue
          await alone(definition, () => bringUpToDate(all, definition, isStopping))
        }
      }
      return followLog(round, { interval: settings.interval, idle: IDLE_INTERVAL })
    },
  }
}
