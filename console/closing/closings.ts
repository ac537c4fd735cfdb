import type { Api } from '../api/client.ts'
import { type Closing, type ClosingEvent, closingAsOf } from './closing.ts'

const PAGE_SIZE = 100

/** Every closing, oldest first. */
export async function fetchClosings(api: Api, signal: AbortSignal): Promise<readonly ClosingEvent[]> {
  const events: ClosingEvent[] = []
  for (;;) {
    const page = await api.get('closing/history', { query: { limit: PAGE_SIZE, offset: events.length }, signal })
    events.push(...page.events)
    if (events.length >= page.total || page.events.length === 0) return events
  }
}

/** The closing as it was at a moment; undefined: now. */
export async function fetchClosing(api: Api, asOf: string | undefined, signal: AbortSignal): Promise<Closing> {
  if (asOf === undefined) return await api.get('closing', { signal })
  return closingAsOf(await fetchClosings(api, signal), asOf)
}
