import { MOST_ROWS } from './postings.ts'

export interface SearchSettings {
  /**
   * From how many rows on a view has a search index; below, looking through all rows is quick, and writes are cheaper.
   */
  readonly from: number
  /** From how many events on they are entered; fewer are looked through one by one. */
  readonly eventsABatch: number
  /** Between two batches at the least, in milliseconds: what comes meanwhile goes in together. */
  readonly interval: number
  readonly rowsASegment: number
}

/**
 * What has shown itself good: news of 500 events cost a search some milliseconds, and large segments few reads. Under
 * load a second brings far more news than 500, and a write costs half of what it does with four batches a second.
 */
export const SEARCH_SETTINGS: SearchSettings = {
  from: 20_000,
  eventsABatch: 500,
  interval: 1_000,
  rowsASegment: MOST_ROWS,
}
