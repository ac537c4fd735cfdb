import { setTimeout as pause } from 'node:timers/promises'
import { publishedBusinesses } from '../../services/businesses/published-events.ts'
import { BEGINNING } from '../../shared/event-sourcing/event.ts'
import type { Parts } from './parts.ts'
import type { Report } from './report.ts'

/** How long a relay may take to notice, and how often it is looked at, in milliseconds. */
const PATIENCE = 15_000
const INTERVAL = 100

/**
 * Sets the relay's checkpoint back: whichever relay is at work starts anew. Nothing changes in Clients. `published` is
 * false where no relay is at work, so that the next one will publish the events.
 */
export async function* replayRelay(parts: Parts, _input: object, report: Report) {
  const { checkpoints, inspection } = parts.businesses
  const head = await inspection.head()
  await checkpoints.reset(publishedBusinesses.name)
  let moved = Date.now()
  let reached = BEGINNING
  while (parts.relayRuns && reached < head && Date.now() - moved <= PATIENCE) {
    await pause(INTERVAL)
    const before = reached
    reached = await checkpoints.read(publishedBusinesses.name)
    if (reached > before) moved = Date.now()
    report('publishing', Math.min(reached, head), head)
  }
  yield { events: head, published: reached >= head }
}
