import type { DeadLetters } from './dead-letters.ts'
import type { EventStore } from './event-store.ts'
import type { Inspection } from './inspection.ts'
import type { LatestTimes } from './latest-times.ts'
import type { LeasedCheckpoints } from './leased-checkpoints.ts'
import type { LogImporter } from './log-importer.ts'
import type { Sequence } from './sequence.ts'
import type { View, ViewDefinition } from './view.ts'

/** Appends that became durable together (group commit). */
export interface AppendedBatch {
  readonly commits: number
  /** From handing them to the engine to its answer. */
  readonly milliseconds: number
  /** How many of its appends found their position taken by another process, each time they were sent. */
  readonly lostRaces?: number
}

/** Everything that one service keeps, on one engine. Each service has its own. */
export interface Database {
  readonly events: EventStore
  /** The view of a definition that the database was opened with. */
  view<State>(definition: ViewDefinition<State>): View<State>
  /** `category`: whose numbers, for example `contract`. */
  sequence(category: string): Sequence
  readonly checkpoints: LeasedCheckpoints
  readonly deadLetters: DeadLetters
  readonly inspection: Inspection
  readonly importer: LogImporter
  /** `kind`: what the times tell, for example `api-key-used`. */
  latestTimes(kind: string): LatestTimes
  /** Writes something of no meaning as durably as an append. Throws StoreUnavailable when the engine takes no writes. */
  checkWritable(): Promise<void>
  /** Finishes what is under way, then lets go of files and connections. */
  close(): Promise<void>
}
