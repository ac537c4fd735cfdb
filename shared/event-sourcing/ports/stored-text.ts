/**
 * A text stored beside the log, such as a service's signing keys. It is not exported with the log. Both methods throw
 * StoreUnavailable like the event store.
 */
export interface StoredText {
  /** undefined: none has been stored. */
  read(): Promise<string | undefined>
  /** Stores the text if `before` is still the stored one. False if another process has stored one meanwhile. */
  replace(before: string | undefined, text: string): Promise<boolean>
}
