import type { ViewRow } from '../../event-sourcing/ports/view.ts'
import type { ApiKey } from '../evolve.ts'
import type { Caller } from './api-keys.ts'

interface Entry {
  readonly caller: Caller
  /** From when on the secret is refused: a time that is long past for one that was ended for good. */
  readonly until: number
}

/**
 * Keys in memory, by the SHA-256 of each of their secrets. How long a look takes tells nothing: what is compared is a
 * hash of that hash, under a seed that every process draws anew.
 */
export function createKeyTable() {
  const rows = new Map<string, ViewRow<ApiKey>>()
  const entries = new Map<string, Entry>()
  return {
    /** Who calls with the secret of this SHA-256 at this time; undefined when no key that is good then has it. */
    find(sha256: string, now: number): Caller | undefined {
      const entry = entries.get(sha256)
      return entry !== undefined && now < entry.until ? entry.caller : undefined
    },
    /** Whose secret this is or was, good or not. */
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
