import type { Event, ListEventsResponse } from '../../shared/gen/mint/events/v1/events.ts'
import type { ServicePart } from '../../shared/kinds/kind.ts'

/** A page of the events of one log, and the cursor that it is after. */
export interface PageOfPart {
  readonly part: ServicePart
  readonly after: string
  readonly page: ListEventsResponse
}

/** The events of several logs as one: by time, but those of each log in its order. */
export function mergePages(pages: readonly PageOfPart[], limit: number) {
  const timed = pages.map(({ page: { events, more } }) => {
    let latest = 0
    const inOrder = events.map((event) => {
      latest = Math.max(latest, event.time)
      return { event, time: latest }
    })
    // If a log has more, its next event isn't known yet, and may be earlier than those of another log.
    return { inOrder, known: more ? latest : Number.POSITIVE_INFINITY }
  })
  const known = Math.min(...timed.map((page) => page.known))
  const merged = timed.flatMap(({ inOrder }) => inOrder).filter(({ time }) => time <= known)
  const events = merged.sort((a, b) => a.time - b.time).slice(0, limit)
  const taken = new Set<Event>(events.map(({ event }) => event))
  const next = pages.map(({ part, after, page }) => {
    const count = page.events.filter((event) => taken.has(event)).length
    return [part, count === page.events.length ? page.next : (page.events[count - 1]?.cursor ?? after)] as const
  })
  return {
    events: events.map(({ event }) => event),
    next: Object.fromEntries(next),
    more: pages.some(({ page }) => page.more) || taken.size < pages.flatMap(({ page }) => page.events).length,
  }
}
