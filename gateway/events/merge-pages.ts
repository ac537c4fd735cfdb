import type { Event, ListEventsResponse } from '../../shared/gen/mint/events/v1/events.ts'
import type { ServicePart } from '../../shared/kinds/kind.ts'
import type { Cursors } from './feed-cursor.ts'

/** A page of the events of one log, and after which cursor. */
export interface PageOfPart {
  readonly part: ServicePart
  readonly after: string | undefined
  readonly page: ListEventsResponse
}

/** The events of several logs as one: by time, but those of each log in its order. */
export function mergePages(pages: readonly PageOfPart[], limit: number) {
  const taken = pages.map(() => 0)
  const events: Event[] = []
  while (events.length < limit) {
    let earliest: { readonly event: Event; readonly index: number } | undefined
    for (const [index, { page }] of pages.entries()) {
      const event = page.events[taken[index] ?? 0]
      if (event !== undefined && event.time < (earliest?.event.time ?? Number.POSITIVE_INFINITY)) {
        earliest = { event, index }
      }
    }
    if (earliest === undefined || pages.some(isUsedUp)) break
    events.push(earliest.event)
    taken[earliest.index] = (taken[earliest.index] ?? 0) + 1
  }

  /** What is next in this log isn't known yet, and may be earlier than what is next in another. */
  function isUsedUp({ page }: PageOfPart, index: number): boolean {
    return page.more && taken[index] === page.events.length
  }

  const next: Cursors = Object.fromEntries(
    pages.map(({ part, after, page }, index) => {
      const count = taken[index] ?? 0
      return [part, count === page.events.length ? page.next : (page.events[count - 1]?.cursor ?? after)]
    }),
  )
  return { events, next, more: pages.some(({ page }, index) => page.more || (taken[index] ?? 0) < page.events.length) }
}
