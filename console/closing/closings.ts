import type { Api } from '../api/client.ts'
import { type Closing, type ClosingEvent, closingAsOf } from './closing.ts'

/** Every closing, oldest first. */
export const fetchClosings = (api: Api, signal: AbortSignal): Promise<readonly ClosingEvent[]> =>
  api.all('closing/history', 'events', signal)

/** The closing as it was at a moment; undefined: now. */
export async function fetchClosing(api: Api, asOf: string | undefined, signal: AbortSignal): Promise<Closing> {
  if (asOf === undefined) return await api.get('closing', { signal })
  return closingAsOf(await fetchClosings(api, signal), asOf)
}
