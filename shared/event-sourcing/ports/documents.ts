import type { Lease } from './leased-checkpoints.ts'

/** A change to one document: its new text, or undefined to remove it. */
export type DocumentChange = readonly [key: string, text: string | undefined]

/**
 * Texts by key, not stored in the log because only their latest version matters: the progress of a follower, a service's
 * signing keys. They are not exported with the log. Every method throws StoreUnavailable, like the event store.
 */
export interface Documents {
  /**
   * Removes and writes documents; all changes are durable when it resolves. Removes everything before it writes, and
   * writes in the order of `changes`, so that an interruption leaves the first ones. `lease`: changes nothing once that
   * has expired, however late the engine gets the request.
   */
  write(changes: readonly DocumentChange[], lease?: Pick<Lease, 'expiresAt'>): Promise<void>
  /**
   * Writes a document if its text is still `before` (undefined: there is none). False if another process has changed it.
   */
  replace(key: string, before: string | undefined, text: string): Promise<boolean>
  /** The document's text; undefined: there is none. */
  read(key: string): Promise<string | undefined>
  /** The documents whose keys begin with this prefix, by key, in code-point order. */
  list(prefix: string): Promise<ReadonlyMap<string, string>>
  /** Removes the documents whose keys begin with this prefix, without reading them. */
  removeAll(prefix: string): Promise<void>
}

/** The exclusive end of the range of keys with this prefix. Keys have no characters beyond U+FFFF. */
export const endOfKeys = (prefix: string): string => `${prefix}\uffff`
