/**
 * Times stored beside the log because only the latest one matters, for example when something was last used.
 * Both methods throw StoreUnavailable like the event store.
 */
export interface LatestTimes {
  /** Stores, for each id, the later of this time and the stored one; in milliseconds since the epoch. */
  raise(times: ReadonlyMap<string, number>): Promise<void>
  /** The times of those ids that have one. */
  read(ids: readonly string[]): Promise<ReadonlyMap<string, number>>
}
