import { setTimeout as pause } from 'node:timers/promises'
import { publishedBusinesses } from '../../services/businesses/published.ts'
import { BEGINNING } from '../../shared/event-sourcing/event.ts'
import type { Parts } from './parts.ts'
import type { Report } from './report.ts'

/** How long a relay may go without progress, and how often progress is checked, in milliseconds. */
const STALLED = 15_000
const INTERVAL = 100

/**
 * Resets the relay's checkpoint, so that the running relay starts over. Clients that lack a version of their business
 * are completed. `published` is false if no relay is running: the next one will publish the events.
 */
export async function* replayRelay(parts: Parts, _input: object, report: Report) {
  const { checkpoints, inspection } = parts.businesses
  const head = await inspection.head()
  await checkpoints.reset(publishedBusinesses.name)
  let moved = Date.now()
  let reached = BEGINNING
  while (parts.relayRuns && reached < head && Date.now() - moved <= STALLED) {
    await pause(INTERVAL)
    const before = reached
    reached = await checkpoints.read(publishedBusinesses.name)
    if (reached > before) moved = Date.now()
    report('publishing', Math.min(reached, head), head)
  }
  yield { events: head, published: reached >= head }
}
