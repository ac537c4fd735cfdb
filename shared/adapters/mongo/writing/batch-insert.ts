import { type Db, MongoServerError } from 'mongodb'
import { neverReachedServer } from '../connection/availability.ts'
import { type CommitDocument, insertInto, type Refusal } from '../log/commit-document.ts'
import type { PendingAppend } from './pending-append.ts'

/** The server's time limit for a write to reach a majority, in milliseconds; after it the log is searched. */
const MAJORITY_TIMEOUT = 3_000

/** The result of a batch: the first documents were written, the next one was refused, and the rest not attempted. */
export interface InsertOutcome {
  readonly written: readonly CommitDocument[]
  /** Which unique value of the refused document already exists; undefined when all were written. */
  readonly taken: 'position' | 'stream version' | 'commitId' | undefined
}

/**
 * Sends appends in one ordered insert, at consecutive positions. Throws the driver's error when the outcome is unknown,
 * and when they never reached a server; each append knows which.
 */
export async function insertBatch(db: Db, first: number, batch: readonly PendingAppend[]): Promise<InsertOutcome> {
  const documents = placeAt(first, batch)
  for (const pending of batch) pending.sending()
  try {
    const { n, refusal } = await insertInto(db, documents, { wtimeout: MAJORITY_TIMEOUT })
    for (const pending of batch.slice(n)) pending.notWritten()
    return { written: documents.slice(0, n), taken: refusal && takenOf(refusal) }
  } catch (error) {
    if (neverReachedServer(error)) for (const pending of batch) pending.notWritten()
    throw error
  }
}

function placeAt(first: number, batch: readonly PendingAppend[]): CommitDocument[] {
  let position = first
  return batch.map(({ document }) => {
    const placed = { _id: position, ...document }
    position += document.events.length
    return placed
  })
}

function takenOf(error: Refusal): InsertOutcome['taken'] {
  const names = Object.keys(error.keyPattern ?? {})
  if (names.includes('_id')) return 'position'
  if (names.includes('stream')) return 'stream version'
  if (names.includes('commitId')) return 'commitId'
  throw new MongoServerError(error)
}
