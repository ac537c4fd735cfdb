import type { ViewRow } from '../../event-sourcing/ports/view.ts'
import type { ApiKey } from '../evolve.ts'
import type { Caller } from './api-keys.ts'

interface Entry {
  readonly caller: Caller
  /** When the secret stops working: a time long past for one that has stopped for good. */
  readonly until: number
}

/**
 * Keys in memory, by the SHA-256 of each of their secrets. Timing reveals nothing: the map compares hashes of that
 * hash, under a seed that every process draws at random.
 */
export function createKeyTable() {
  const rows = new Map<string, ViewRow<ApiKey>>()
  const entries = new Map<string, Entry>()
  return {
    /** The caller whose secret has this SHA-256; undefined when no key that is valid at this time has it. */
    find(sha256: string, now: number): Caller | undefined {
      const entry = entries.get(sha256)
      return entry !== undefined && now < entry.until ? entry.caller : undefined
    },
    /** The key that this secret belongs or belonged to, valid or not. */
    holder: (sha256: string): Caller | undefined => entries.get(sha256)?.caller,
    row: (id: string): ViewRow<ApiKey> | undefined => rows.get(id),
    put(row: ViewRow<ApiKey>): void {
      for (const { sha256 } of rows.get(row.id)?.state.secrets ?? []) entries.delete(sha256)
      rows.set(row.id, row)
      for (const [sha256, entry] of entriesOf(row.state)) entries.set(sha256, entry)
    },
  }
}

function entriesOf({ id, name, scopes, secrets, expiresAt, revokedAt }: ApiKey): (readonly [string, Entry])[] {
  const caller = { id, name, scopes }
  const end = revokedAt === null ? (expiresAt ?? NEVER) : 0
  return secrets.map(({ sha256, until }) => [sha256, { caller, until: Math.min(until ?? NEVER, end) }])
}

const NEVER = Number.POSITIVE_INFINITY
