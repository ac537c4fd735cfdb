import { setTimeout as pause } from 'node:timers/promises'
import { BEGINNING } from '../../shared/event-sourcing/event.ts'
import type { ServicePart } from '../../shared/kinds/kind.ts'
import { relayOf } from '../../shared/runtime/settings/topic-names.ts'
import { CommandFailure } from '../exit.ts'
import type { Parts } from './parts.ts'
import type { Report } from './report.ts'

/** How long a relay may go without progress, and how often progress is checked, in milliseconds. */
const STALLED = 15_000
const INTERVAL = 100

/**
 * Resets the relays' checkpoints, so that running relays start over. Clients that lack a version of their business are
 * completed. `published` is false if no relay is running: the next one will publish the events.
 */
export async function* replayRelay(
  parts: Parts,
  { part }: { readonly part?: ServicePart | undefined },
  report: Report,
) {
  const relays = parts.relays.filter((one) => part === undefined || one === part)
  if (relays.length === 0) throw new CommandFailure('Contracts are not published here: that takes Kafka.')
  for (const one of relays) yield { part: one, ...(await replay(parts, one, report)) }
}

async function replay(parts: Parts, part: ServicePart, report: Report) {
  const { checkpoints, inspection } = parts[part]
  const head = await inspection.head()
  await checkpoints.reset(relayOf(part))
  let moved = performance.now()
  let reached = BEGINNING
  while (parts.relayRuns && reached < head && performance.now() - moved <= STALLED) {
    await pause(INTERVAL)
    const before = reached
    reached = await checkpoints.read(relayOf(part))
    if (reached > before) moved = performance.now()
    report(`publishing ${part}`, Math.min(reached, head), head)
  }
  return { events: head, published: reached >= head }
}
