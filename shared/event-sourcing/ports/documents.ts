/** A change of one document: its new text, or undefined to remove it. */
export type DocumentChange = readonly [key: string, text: string | undefined]

/**
 * Texts by key, stored beside the log because only their latest version matters, such as the progress of a follower or
 * a service's signing keys. They are not exported with the log. Every method throws StoreUnavailable like the event
 * store.
 */
export interface Documents {
  /**
   * Removes and writes documents: all of them are durable when it resolves. If it is interrupted, none are written
   * before everything is removed, and those written are the first ones.
   */
  write(changes: readonly DocumentChange[]): Promise<void>
  /**
   * Writes a document if `before` is still its text (undefined: there is none). False if another process has written it
   * meanwhile.
   */
  replace(key: string, before: string | undefined, text: string): Promise<boolean>
  /** The document's text; undefined: there is none. */
  read(key: string): Promise<string | undefined>
  /** The documents whose keys begin with this prefix, by key, in the order of code points. */
  list(prefix: string): Promise<ReadonlyMap<string, string>>
}

/** A text after every key that begins with this prefix. Keys have no characters beyond U+FFFF. */
export const afterPrefix = (prefix: string): string => `${prefix}\uffff`
