import { setTimeout as delay } from 'node:timers/promises'
import { type Db, type Document, MongoServerError } from 'mongodb'
import { isUnavailable, neverReachedServer } from './availability.ts'
import { type CommitDocument, lastPosition, versionAfter } from './commit-document.ts'
import type { Contention } from './contention.ts'
import type { LogReader } from './log-reader.ts'
import { BY_MAJORITY } from './majority.ts'
import type { PendingAppend } from './pending-append.ts'
import type { StreamHeads } from './stream-heads.ts'

interface InsertAnswer {
  /** How many of the documents were written: as the insert is ordered, the first ones. */
  readonly n: number
  readonly writeErrors?: readonly WriteError[]
}

interface WriteError {
  readonly index: number
  readonly code: number
  readonly errmsg: string
  readonly keyPattern?: Document
}

/** Between two tries while the engine is away, in milliseconds. */
const RETRY_DELAY = 50
/** The server's own limit for a write to reach a majority, in milliseconds; after it the outcome is looked up. */
const MAJORITY_TIMEOUT = 3_000

export interface BatchWriter {
  /**
   * Writes the appends at the log's end, in order, and answers when each one is settled. Whatever happens on the way
   * (another process's batch in between, a lost connection, an election), each is in the log once or not at all: a
   * commit is only ever sent with the same commitId, and positions are only given out after the last committed one.
   */
  write(batch: readonly PendingAppend[]): Promise<void>
}

export function createBatchWriter(db: Db, reader: LogReader, heads: StreamHeads, contention: Contention): BatchWriter {
  /** Position for the next commit; undefined: to be read from the log. */
  let next: number | undefined

  async function insertOnce(open: readonly PendingAppend[]): Promise<void> {
    next ??= (await reader.head()) + 1
    const documents = placeAt(next, open)
    const { n: written, writeErrors } = await send(documents, open)
    for (let index = 0; index < written; index++) {
      const [pending, document] = [open[index], documents[index]]
      if (!pending || !document) continue
      next = lastPosition(document) + 1
      heads.learn(document.stream, versionAfter(document))
      pending.settle({ type: 'written', document })
    }
    for (const pending of open.slice(written)) pending.notWritten()
    const refused = open[written]
    if (writeErrors?.[0] && refused) await takeRefusal(writeErrors[0], refused)
  }

  async function send(documents: CommitDocument[], open: readonly PendingAppend[]): Promise<InsertAnswer> {
    for (const pending of open) pending.sending()
    try {
      const writeConcern = { ...BY_MAJORITY, wtimeout: MAJORITY_TIMEOUT }
      return (await db.command({ insert: 'log', documents, ordered: true, writeConcern })) as InsertAnswer
    } catch (error) {
      if (neverReachedServer(error)) for (const pending of open) pending.notWritten()
      throw error
    }
  }

  async function takeRefusal(error: WriteError, refused: PendingAppend): Promise<void> {
    const taken = Object.keys(error.keyPattern ?? {})
    if (taken.includes('_id')) {
      contention.lost()
      next = undefined
    } else if (taken.includes('stream')) refused.settle({ type: 'wrong-version' })
    else if (taken.includes('commitId')) await lookUp([refused])
    else throw new MongoServerError(error)
  }

  /** Settles those that the log has; the others were not written by any request answered so far. */
  async function lookUp(open: readonly PendingAppend[]): Promise<void> {
    const documents = await reader.findCommits(open.map(({ commit }) => commit.commitId))
    const byCommitId = new Map(documents.map((document) => [document.commitId, document]))
    for (const pending of open) {
      const document = byCommitId.get(pending.commit.commitId)
      if (document === undefined) continue
      heads.learn(document.stream, versionAfter(document))
      const isOwn = document.attempt.equals(pending.document.attempt)
      pending.settle({ type: isOwn ? 'written' : 'found', document })
    }
  }

  async function tryOnce(open: readonly PendingAppend[], lookUpFirst: boolean): Promise<void> {
    if (lookUpFirst) await lookUp(open)
    const rest = open.filter((pending) => !pending.isSettled())
    if (rest.length > 0) await insertOnce(rest)
  }

  return {
    async write(batch) {
      let open = batch
      let lookUpFirst = false
      while (open.length > 0) {
        try {
          await tryOnce(open, lookUpFirst)
          lookUpFirst = false
        } catch (error) {
          next = undefined
          if (!isUnavailable(error)) for (const pending of open) pending.giveUp(error)
          lookUpFirst ||= !neverReachedServer(error)
          await delay(RETRY_DELAY)
        }
        open = open.filter((pending) => !pending.isSettled())
      }
    },
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
