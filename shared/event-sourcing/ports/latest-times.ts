/**
 * Times that are not stored in the log because only the latest one matters, for example when something was last used.
 * Both methods throw StoreUnavailable, like the event store.
 */
export interface LatestTimes {
  /** Stores each time, in milliseconds since the epoch, unless a later one is stored for its id. */
  raise(times: ReadonlyMap<string, number>): Promise<void>
  /** The stored times by id. */
  read(ids: readonly string[]): Promise<ReadonlyMap<string, number>>
}
