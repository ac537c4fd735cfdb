import type { Scope } from '../scopes.ts'

/** Whose request it is: the key that it came with. Its secret is nowhere. */
export interface Caller {
  /** The key's UUID; the `by` of every event that is written with it. */
  readonly id: string
  readonly name: string
  readonly scopes: readonly Scope[]
}

/** Where the gateway looks keys up. */
export interface ApiKeys {
  /**
   * Who calls with the secret that has this SHA-256 (hexadecimal), from memory and at once; undefined where only `find`
   * can tell.
   */
  known(sha256: string): Caller | undefined
  /** As `known`; undefined when no key that is good now has this secret. Throws StoreUnavailable when that can't be told. */
  find(sha256: string): Promise<Caller | undefined>
  /** The name of the key of an id, good or not; null when there is no such key. Throws StoreUnavailable. */
  nameOf(id: string): Promise<string | null>
}

/** Keys that outlive the process, so that a secret is always the same key's. */
export interface StoredApiKeys extends ApiKeys {
  /**
   * Whose secret has this SHA-256 or had it, whatever became of it since: from memory, where the log has told it. Says
   * nothing of whether it may be used.
   */
  holder(sha256: string): Caller | undefined
}
