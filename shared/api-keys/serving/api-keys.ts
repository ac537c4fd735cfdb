import type { ApiKey } from '../evolve.ts'

/**
 * The key that a request came with, without its secret. The `by` of events, the scope of Idempotency-Keys, limits and
 * shares belong to the principal.
 */
export type Caller = Pick<ApiKey, 'id' | 'kind' | 'principal' | 'name' | 'scopes'>

/** Finds keys by their secrets. */
export interface ApiKeys {
  /**
   * The caller whose secret has this SHA-256 (hexadecimal), synchronously from memory; undefined if only `find` can tell.
   */
  known(sha256: string): Caller | undefined
  /** Like `known`, but undefined means that no valid key has this secret. Throws StoreUnavailable if it can't tell. */
  find(sha256: string): Promise<Caller | undefined>
  /**
   * The name of a principal, even if none of its keys is valid any more; null: there is no such principal. With a time, in
   * milliseconds since the epoch, the name at that time; this answer never changes. Throws StoreUnavailable.
   */
  nameOf(principal: string, at?: number): Promise<string | null>
}

/** Keys that outlive the process, so that a secret always belongs to the same key. */
export interface StoredApiKeys extends ApiKeys {
  /**
   * The key whose current or earlier secret has this SHA-256, even if it is revoked or expired, from memory as of the last
   * read of the log. Don't use it to accept a key.
   */
  holder(sha256: string): Caller | undefined
}
