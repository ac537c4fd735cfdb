import type { Api } from '../api/client.ts'

/** Through which day the books are closed; nulls: they were never closed. */
export interface Closing {
  readonly closedThrough: string | null
  readonly reason: string | null
  readonly at: string | null
  readonly by: string | null
  readonly byName: string | null
}

/** A closing that somebody set. */
export interface ClosingEvent extends Closing {
  readonly version: number
  readonly at: string
  readonly by: string
}

const never: Closing = { closedThrough: null, reason: null, at: null, by: null, byName: null }

const PAGE = 100

/** Every closing, oldest first. */
export async function fetchClosings(api: Api, signal: AbortSignal): Promise<readonly ClosingEvent[]> {
  const events: ClosingEvent[] = []
  for (;;) {
    const { body } = await api.get('closing/history', { query: { limit: PAGE, offset: events.length }, signal })
    events.push(...body.events)
    if (events.length >= body.total || body.events.length === 0) return events
  }
}

/** The closing as it was at a moment; undefined: now. */
export async function fetchClosing(api: Api, asOf: string | undefined, signal: AbortSignal): Promise<Closing> {
  if (asOf === undefined) return (await api.get('closing', { signal })).body
  return closingAsOf(await fetchClosings(api, signal), asOf)
}

/** The last one that was set at a moment or before. */
export function closingAsOf(closings: readonly ClosingEvent[], asOf: string): Closing {
  return closings.findLast(({ at }) => Date.parse(at) <= Date.parse(asOf)) ?? never
}
