import { createPace, PIECE_BYTES } from '../budget/pace.ts'
import type { AuthoredEvent, Position } from '../event-sourcing/event.ts'
import type { EventStore } from '../event-sourcing/ports/event-store.ts'
import type { LogScan, ScannedCategory } from '../event-sourcing/ports/log-scan.ts'
import type { Envelope } from './envelope.ts'
import type { Enveloper } from './enveloper.ts'
import type { Published } from './published.ts'

/** Which events to read. */
export interface EventQuery extends Pick<LogScan, 'by' | 'since' | 'until'> {
  readonly types: readonly string[]
}

/** Events of the log with their envelopes. */
export interface EventPage {
  readonly events: readonly { readonly event: AuthoredEvent; readonly envelope: Envelope }[]
  /** The last position read. */
  readonly through: Position
  /** Whether that was the head of the log. */
  readonly isLast: boolean
}

export interface ReadPageOptions {
  readonly events: Pick<EventStore, 'scan'>
  readonly published: Published
  readonly envelopesOf: Enveloper
}

/** How long to search; the page then has what was found so far. */
const MAX_SEARCH_MILLISECONDS = 1_000
/** The most events to read at a time, since later ones may be a hundred times as long. */
const MAX_ROWS = 200
/** The length of a page in characters: in UTF-8 below 4 MB, the longest message that most gRPC clients accept. */
const PAGE_LENGTH = 4 * PIECE_BYTES

/** Reads pages of a log's events, of about PAGE_LENGTH characters at most. Throws StoreUnavailable. */
export function createPageReader({ events, published, envelopesOf }: ReadPageOptions) {
  /** How many events made a piece of the last page. */
  let lastRows = 1

  return async (
    { types, ...query }: EventQuery,
    { after, limit }: { readonly after: Position; readonly limit: number },
  ): Promise<EventPage> => {
    const of = categoriesOf(published, types)
    const pace = createPace(Math.min(limit, MAX_ROWS), lastRows)
    const until = performance.now() + MAX_SEARCH_MILLISECONDS
    const found: EventPage['events'][number][] = []
    let [through, isLast, read] = [after, of.length === 0, 0]
    while (!isLast && found.length < limit && read < PAGE_LENGTH && performance.now() < until) {
      const scan = { ...query, of, after: through, limit: Math.min(pace.rows(), limit - found.length) }
      const scanned = await events.scan(scan)
      ;({ through, isLast } = scanned)
      let characters = 0
      for (const [index, envelope] of (await envelopesOf(scanned.events)).entries()) {
        const event = scanned.events[index]
        if (envelope === undefined || event === undefined) continue
        characters += envelope.data.length
        if (read + characters > PAGE_LENGTH && found.length > 0) {
          // This event and those after it are for the next page.
          ;[through, isLast] = [found.at(-1)?.event.position ?? through, false]
          break
        }
        found.push({ event, envelope })
      }
      if (scanned.events.length > 0) pace.learn(scanned.events.length, characters)
      read += characters
    }
    lastRows = pace.rows()
    return { events: found, through, isLast }
  }
}

/** The categories to scan for events of these types. */
function categoriesOf({ records }: Published, types: readonly string[]): ScannedCategory[] {
  return records.flatMap(({ view: { category }, types: [first, later] }) => {
    const [hasFirst, hasLater] = [types.includes(first), types.includes(later)]
    if (!hasFirst && !hasLater) return []
    return [{ category, which: hasFirst && hasLater ? 'all' : hasFirst ? 'first' : 'later' }]
  })
}
