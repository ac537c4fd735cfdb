import type { Position } from '../event-sourcing/event.ts'
import type { EventStore } from '../event-sourcing/ports/event-store.ts'
import type { Metrics } from './metrics.ts'

/** Whoever goes through a log and remembers how far it has come. */
export interface Follower<Label extends string> {
  readonly labels: Readonly<Record<Label, string>>
  readonly events: Pick<EventStore, 'countAfter' | 'readAll'>
  checkpoint(): Promise<Position>
}

export interface LagOptions<Label extends string> {
  /** The metrics' names without unit, for example `mint_relay_lag`. */
  readonly name: `mint_${string}`
  /** Who is behind, to begin a sentence with. */
  readonly who: string
  readonly labels: readonly Label[]
}

/** Two gauges, `…_events` and `…_seconds`, for the followers that the answered function is told of. */
export function lagMetrics<Label extends string>(
  metrics: Metrics,
  { name, who, labels }: LagOptions<Label>,
): (follower: Follower<Label>) => void {
  const events = metrics.gauge({
    name: `${name}_events`,
    help: `${who} has not seen so many events of the log.`,
    labels,
  })
  const seconds = metrics.gauge({
    name: `${name}_seconds`,
    help: `${who} has not seen events for so long: the age of the first of them, 0 when there is none.`,
    labels,
  })
  return (follower) =>
    metrics.atReading({
      what: `${name} ${Object.values(follower.labels)}`,
      async read() {
        const lag = await lagOf(follower)
        events.set(follower.labels, lag.events)
        seconds.set(follower.labels, lag.seconds)
      },
      forget() {
        events.remove(follower.labels)
        seconds.remove(follower.labels)
      },
    })
}

async function lagOf({ events, checkpoint }: Follower<string>): Promise<{ events: number; seconds: number }> {
  const position = await checkpoint()
  const [behind, [next]] = await Promise.all([events.countAfter(position), events.readAll(position, 1)])
  return { events: behind, seconds: next === undefined ? 0 : Math.max(0, Date.now() - next.at) / 1000 }
}
