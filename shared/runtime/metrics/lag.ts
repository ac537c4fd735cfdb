import { sharingRuns } from '../../async/shared-runs.ts'
import type { Position } from '../../event-sourcing/event.ts'
import { lagAt, type MeasuredLog } from '../../event-sourcing/lag.ts'
import type { Metrics } from './metrics.ts'

/** Something that reads a log and stores a checkpoint. */
interface Follower {
  /** The metrics' names without unit, for example `mint_relay_lag`. */
  readonly name: `mint_${string}`
  /** What is behind, as the subject of a sentence. */
  readonly who: string
  readonly labels: Readonly<Record<string, string>>
  readonly events: MeasuredLog
  checkpoint(): Promise<Position>
}

/** Two gauges, `…_events` and `…_seconds`, of how far a follower is behind. */
export function lagMetrics(metrics: Metrics, { name, who, labels, events, checkpoint }: Follower): void {
  // Shared, because both gauges are read at once.
  const lag = sharingRuns(async () => await lagAt(events, await checkpoint(), Date.now()))
  metrics.gauge(
    { name: `${name}_events`, help: `${who} has not seen this many events of the log.`, labels },
    async () => (await lag.join()).lagEvents,
  )
  const help = `${who} is this far behind: the age of the first event it has not seen, 0 when there is none.`
  metrics.gauge({ name: `${name}_seconds`, help, labels }, async () => (await lag.join()).lagSeconds)
}
