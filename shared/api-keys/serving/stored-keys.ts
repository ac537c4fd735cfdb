import { coalescingRuns } from '../../async/coalesced-runs.ts'
import { repeat } from '../../async/repeat.ts'
import { BEGINNING } from '../../event-sourcing/event.ts'
import type { EventStore } from '../../event-sourcing/ports/event-store.ts'
import type { ViewRow } from '../../event-sourcing/ports/view.ts'
import { foldBatch } from '../../event-sourcing/projector.ts'
import type { Logger } from '../../runtime/log/logger.ts'
import type { ApiKey } from '../evolve.ts'
import { apiKeysView } from '../view.ts'
import type { Caller } from './api-keys.ts'

/** How often the log is polled when nothing wakes the follower. */
const POLL_MILLISECONDS = 1_000
/** How long a read of the log may be relied on: less than the promised 5 s. */
const RELIABLE_MILLISECONDS = 4_000
const EVENTS_PER_READ = 500

interface StoredKeysOptions {
  readonly events: EventStore
  readonly clock: () => number
  /** Called with the id of each key that is found. */
  readonly onUse?: (id: string) => unknown
  readonly logger: Logger
  readonly pollMilliseconds?: number
  readonly reliableMilliseconds?: number
}

/**
 * Follows the log of keys, so that a request needs no read. Two guarantees:
 *
 * - A revoked key is refused within 5 s, whichever gateway revoked it: no key is accepted on information older than
 *   `reliableMilliseconds`. If the log can't be read for longer than that, `find` throws StoreUnavailable.
 * - A key just created through another gateway is accepted: no key is refused before a read of the log that began after
 *   the request arrived. So every refusal takes the same time, whatever the reason. Requests share reads, one at a time,
 *   so that guessing keys costs the store little.
 */
export function followStoredKeys(options: StoredKeysOptions) {
  const { events, clock, onUse, logger } = options
  const { pollMilliseconds = POLL_MILLISECONDS, reliableMilliseconds = RELIABLE_MILLISECONDS } = options
  const table = createKeyTable()
  let position = BEGINNING
  let knownAsOf = Number.NEGATIVE_INFINITY

  async function readNew(): Promise<void> {
    const startedAt = performance.now()
    for (;;) {
      const batch = await events.readAll(position, EVENTS_PER_READ)
      for (const event of batch) {
        // It revokes a person's key that was forgotten.
        if (event.version > 1 && table.row(event.stream.id) === undefined) continue
        for (const row of foldBatch(apiKeysView, [event], table.row)) table.put(row)
      }
      if (batch.length > 0) table.forgetEnded(clock())
      position = batch.at(-1)?.position ?? position
      if (batch.length < EVENTS_PER_READ) break
    }
    knownAsOf = startedAt
  }

  const { run: catchUp } = coalescingRuns(readNew)
  async function follow(): Promise<void> {
    try {
      await catchUp()
    } catch (err) {
      logger.warn({ outage: 'API keys', err }, 'the API keys can’t be read; known ones stay valid for a few seconds')
    }
  }

  function used(caller: Caller | undefined): Caller | undefined {
    if (caller !== undefined) onUse?.(caller.id)
    return caller
  }

  function known(sha256: string): Caller | undefined {
    return performance.now() - knownAsOf < reliableMilliseconds ? used(table.find(sha256, clock())) : undefined
  }

  const following = repeat(follow, pollMilliseconds)
  const unsubscribe = events.onAppended(following.wake)
  return {
    known,
    async find(sha256: string): Promise<Caller | undefined> {
      const already = known(sha256)
      if (already !== undefined) return already
      await catchUp()
      return used(table.find(sha256, clock()))
    },
    holder: (sha256: string) => used(table.holder(sha256)),
    async nameOf(principal: string, at?: number): Promise<string | null> {
      if (table.nameOf(principal) === undefined) await catchUp()
      return table.nameOf(principal, at) ?? null
    },
    /** Applies what is new in the log. Throws StoreUnavailable. */
    catchUp,
    async stop(): Promise<void> {
      unsubscribe()
      await following.stop()
    },
  }
}

interface Entry {
  readonly caller: Caller
  /** When the secret stops working; 0: it has stopped for good. */
  readonly until: number
}

/**
 * Keys in memory, by the SHA-256 of each of their secrets. Timing reveals nothing, because the map compares hashes of that
 * hash, with a random seed per process.
 */
export function createKeyTable() {
  const rows = new Map<string, ViewRow<ApiKey>>()
  const entries = new Map<string, Entry>()
  /** The names of each principal, oldest first. A person gets another one when a sign-in has a different name. */
  const names = new Map<string, { readonly name: string; readonly since: number }[]>()

  function putName({ principal, name, createdAt: since }: ApiKey): void {
    const known = names.get(principal) ?? []
    if (known.at(-1)?.name !== name) names.set(principal, [...known, { name, since }])
  }

  return {
    /** The caller whose secret has this SHA-256; undefined when no key that is valid at this time has it. */
    find(sha256: string, now: number): Caller | undefined {
      const entry = entries.get(sha256)
      return entry !== undefined && now < entry.until ? entry.caller : undefined
    },
    /** The key that this secret belongs or belonged to, valid or not. */
    holder: (sha256: string): Caller | undefined => entries.get(sha256)?.caller,
    row: (id: string): ViewRow<ApiKey> | undefined => rows.get(id),
    nameOf(principal: string, at = NEVER): string | undefined {
      const known = names.get(principal) ?? []
      return (known.findLast(({ since }) => since <= at) ?? known[0])?.name
    },
    put(row: ViewRow<ApiKey>): void {
      // Only for a new key: a later event of an old key must not restore an old name.
      if (!rows.has(row.id)) putName(row.state)
      for (const { sha256 } of rows.get(row.id)?.state.secrets ?? []) entries.delete(sha256)
      rows.set(row.id, row)
      for (const [sha256, entry] of entriesOf(row.state)) entries.set(sha256, entry)
    },
    /** Forgets keys of people that have ended, but no names: each sign-in adds a key, which takes about 1 KB. */
    forgetEnded(now: number): void {
      for (const [id, { state }] of rows) {
        const { kind, secrets, revokedAt, expiresAt } = state
        if (kind !== 'person' || (revokedAt === null && now < (expiresAt ?? NEVER))) continue
        rows.delete(id)
        for (const { sha256 } of secrets) entries.delete(sha256)
      }
    },
  }
}

function entriesOf({ secrets, createdAt: _, expiresAt, revokedAt, ...caller }: ApiKey): (readonly [string, Entry])[] {
  const end = revokedAt === null ? (expiresAt ?? NEVER) : 0
  return secrets.map(({ sha256, until }) => [sha256, { caller, until: Math.min(until ?? NEVER, end) }])
}

const NEVER = Number.POSITIVE_INFINITY
