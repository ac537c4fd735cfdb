import type { RunningProcess } from '../../runtime/this-process.ts'
import type { DeadLetters } from './dead-letters.ts'
import type { Documents } from './documents.ts'
import type { EventStore } from './event-store.ts'
import type { Inspection } from './inspection.ts'
import type { LatestTimes } from './latest-times.ts'
import type { LeasedCheckpoints } from './leased-checkpoints.ts'
import type { LogImporter } from './log-importer.ts'
import type { Sequence } from './sequence.ts'
import type { View, ViewDefinition } from './view.ts'

/** Appends that became durable together (group commit). */
export interface AppendedBatch {
  /** 0 if all lost their position or were refused. */
  readonly commits: number
  /** From the write to the engine's confirmation. */
  readonly milliseconds: number
  /** How many of its appends lost their position to another process, counted once per attempt. */
  readonly lostRaces?: number
}

/** All data of one service on one engine. */
export interface Database {
  readonly engine: 'sqlite' | 'mongodb'
  readonly events: EventStore
  /** The view of one of the definitions that the database was opened with. */
  view<State>(definition: ViewDefinition<State>): View<State>
  /** `category`: what is numbered, for example `contract`. */
  sequence(category: string): Sequence
  readonly checkpoints: LeasedCheckpoints
  readonly deadLetters: DeadLetters
  readonly inspection: Inspection
  readonly importer: LogImporter
  /** `kind`: what the times mean, for example `api-key-used`. */
  latestTimes(kind: string): LatestTimes
  /** `kind`: what the documents are, for example `webhooks`. */
  documents(kind: string): Documents
  /** The running processes of the service that owns this data, as far as known; this one first. Throws StoreUnavailable. */
  processes(): Promise<readonly RunningProcess[]>
  /** A no-op write, as durable as an append. Throws StoreUnavailable when the engine takes no writes. */
  checkWritable(): Promise<void>
  /** Finishes the work in progress, then closes files and connections. */
  close(): Promise<void>
}
