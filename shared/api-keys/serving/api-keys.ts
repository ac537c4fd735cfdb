import type { ApiKey } from '../evolve.ts'

/**
 * Who sent a request: the key that it came with, without its secret. Whatever belongs to who acts goes by the principal:
 * the `by` of events, the space of Idempotency-Keys, limits and shares.
 */
export type Caller = Pick<ApiKey, 'id' | 'kind' | 'principal' | 'name' | 'scopes'>

/** Where callers find the key of a secret. */
export interface ApiKeys {
  /**
   * The caller whose secret has this SHA-256 (hexadecimal), from memory and synchronously; undefined when only `find`
   * can decide.
   */
  known(sha256: string): Caller | undefined
  /** Like `known`; undefined when no valid key has this secret. Throws StoreUnavailable when that can't be decided. */
  find(sha256: string): Promise<Caller | undefined>
  /**
   * The name of a principal, whose keys may all have ended; null when there is none. With a time, in milliseconds since
   * the epoch, the name that they had then, which is the same whenever it is asked for. Throws StoreUnavailable.
   */
  nameOf(principal: string, at?: number): Promise<string | null>
}

/** Keys that outlive the process, so that a secret always belongs to the same key. */
export interface StoredApiKeys extends ApiKeys {
  /**
   * The key whose current or earlier secret has this SHA-256, even if revoked or expired: from memory, as far as the
   * log has been read. Does not mean that it may be used.
   */
  holder(sha256: string): Caller | undefined
}
