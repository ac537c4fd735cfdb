import type { Collection, Db } from 'mongodb'
import { BEGINNING, type Position } from '../../../event-sourcing/event.ts'
import type { AnyViewDefinition } from '../../../event-sourcing/ports/view.ts'
import { MAJORITY_COLLECTION } from '../majority.ts'

/** How far a view holds every event, and how many aggregates were created up to there. */
export interface ViewCheckpoint {
  readonly position: Position
  readonly count: number
}

interface CheckpointDocument extends ViewCheckpoint {
  /** `view@schema`: processes of an older version go on with the checkpoint of their own schema. */
  readonly _id: string
}

export interface ViewCheckpoints {
  /** undefined: the view was never built with its schema. */
  read(definition: AnyViewDefinition): Promise<ViewCheckpoint | undefined>
  /** Sets the checkpoint of a view that has none yet. */
  start(definition: AnyViewDefinition, checkpoint: ViewCheckpoint): Promise<void>
  /** Moves it from one state to another. False when it does not stand at `from` any more: nothing was changed. */
  move(definition: AnyViewDefinition, from: ViewCheckpoint, to: ViewCheckpoint): Promise<boolean>
}

/** Checkpoints are read and written by majority: one that was seen once is never rolled back. */
export function createViewCheckpoints(db: Db): ViewCheckpoints {
  const collection: Collection<CheckpointDocument> = db.collection('view_checkpoints', MAJORITY_COLLECTION)
  return {
    async read(definition) {
      const document = await collection.findOne({ _id: idOf(definition) })
      return document === null ? undefined : { position: document.position, count: document.count }
    },
    async start(definition, checkpoint) {
      await collection.updateOne({ _id: idOf(definition) }, { $setOnInsert: checkpoint }, { upsert: true })
    },
    async move(definition, { position, count }, to) {
      const { matchedCount } = await collection.updateOne({ _id: idOf(definition), position, count }, { $set: to })
      return matchedCount === 1
    },
  }
}

/** Where a view begins. */
export const NOTHING_YET: ViewCheckpoint = { position: BEGINNING, count: 0 }

function idOf({ name, schema }: AnyViewDefinition): string {
  return `${name}@${schema}`
}
