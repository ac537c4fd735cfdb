import type { DeadLetters } from './dead-letters.ts'
import type { EventStore } from './event-store.ts'
import type { Inspection } from './inspection.ts'
import type { LatestTimes } from './latest-times.ts'
import type { LeasedCheckpoints } from './leased-checkpoints.ts'
import type { LogImporter } from './log-importer.ts'
import type { Sequence } from './sequence.ts'
import type { View, ViewDefinition } from './view.ts'

/** Everything that one service keeps, on one engine. Each service has its own. */
export interface Database {
  readonly events: EventStore
  /** The view of a definition that the database was opened with. */
  view<State>(definition: ViewDefinition<State>): View<State>
  /** `category`: whose numbers, for example `contract`. */
  sequence(category: string): Sequence
  readonly checkpoints: LeasedCheckpoints
  readonly deadLetters: DeadLetters
  /** `kind`: what the times tell, for example `api-key-used`. */
  latestTimes(kind: string): LatestTimes
  /** Finishes what is under way, then lets go of files and connections. */
  close(): Promise<void>
}
  readonly inspection: Inspection
  readonly importer: LogImporter
