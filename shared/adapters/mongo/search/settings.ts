import { MOST_ROWS } from './postings.ts'

export interface SearchSettings {
  /**
   * From how many rows on a view has a search index; below, looking through all rows is quick, and writes are cheaper.
   */
  readonly from: number
  /** How many events are entered together; so many may have to be looked through one by one. */
  readonly eventsABatch: number
  readonly rowsASegment: number
}

/** What has shown itself good: news of 500 events cost a search some milliseconds, and large segments few reads. */
export const SEARCH_SETTINGS: SearchSettings = { from: 20_000, eventsABatch: 500, rowsASegment: MOST_ROWS }
