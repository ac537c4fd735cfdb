import { type Db, MongoServerError } from 'mongodb'
import { neverReachedServer } from '../connection/availability.ts'
import { insertCommits, type Refusal, versionAfter } from '../log/commit-document.ts'
import type { LogEnd } from '../log/log-end.ts'
import type { LogReader } from '../log/log-reader.ts'
import type { PendingAppend } from './pending-append.ts'

/** How long the server waits for a write to reach a majority, in milliseconds; then the log is searched for it. */
const MAJORITY_TIMEOUT = 3_000

export type BatchWriter = ReturnType<typeof createBatchWriter>

export interface BatchWriterOptions {
  readonly db: Db
  readonly reader: Pick<LogReader, 'findCommits'>
  readonly end: LogEnd
}

/** What an attempt to write a batch did. */
interface Attempt {
  readonly written: number
  /** How many appends lost their position to another process. */
  readonly lostRaces: number
}

const NOTHING_SENT: Attempt = { written: 0, lostRaces: 0 }

/**
 * Returns a function that tries once to write appends at the log's end, in order, and settles those whose outcome is
 * then certain; the others must be tried again. Whatever happens in between (another process's batch, a lost
 * connection, an election), each is in the log once or not at all: a commit is always sent with the same commitId, and
 * positions are only assigned after the last committed one. It throws the driver's error when there was no answer; each
 * append records whether it may have been written. Use one per log and process: it caches the log's end.
 */
export function createBatchWriter({ db, reader, end }: BatchWriterOptions) {
  /** Settles the appends that are in the log. No request answered so far has written the others. */
  async function settleWritten(doubtful: readonly PendingAppend[]): Promise<void> {
    if (doubtful.length === 0) return
    const documents = await reader.findCommits(doubtful.map(({ commit }) => commit.commitId))
    const byCommitId = new Map(documents.map((document) => [document.commitId, document]))
    for (const pending of doubtful) {
      const document = byCommitId.get(pending.commit.commitId)
      if (document === undefined) continue
      end.see(document.stream, versionAfter(document))
      const isOwn = document.attempt.equals(pending.document.attempt)
      pending.settle({ type: isOwn ? 'written' : 'found', document })
    }
  }

  /** Sends appends in one ordered insert, at consecutive positions from `next` on. */
  async function insert(next: number, appends: readonly PendingAppend[]): Promise<Attempt> {
    let position = next
    const documents = appends.map(({ document }) => {
      const placed = { _id: position, ...document }
      position += document.events.length
      return placed
    })
    for (const pending of appends) pending.sending()
    const { n, refusal } = await insertCommits(db, documents, { wtimeout: MAJORITY_TIMEOUT }).catch((error) => {
      if (neverReachedServer(error)) for (const pending of appends) pending.notWritten()
      throw error
    })
    for (const [index, document] of documents.slice(0, n).entries()) {
      end.advance(document)
      appends[index]?.settle({ type: 'written', document })
    }
    for (const pending of appends.slice(n)) pending.notWritten()
    const refused = appends[n]
    if (refusal === undefined || refused === undefined) return { written: n, lostRaces: 0 }
    const taken = takenOf(refusal)
    if (taken === 'stream version') refused.settle({ type: 'wrong-version' })
    else if (taken === 'commitId') await settleWritten([refused])
    else end.forget()
    return { written: n, lostRaces: taken === 'position' ? appends.length - n : 0 }
  }

  return async (batch: readonly PendingAppend[]): Promise<Attempt> => {
    await settleWritten(batch.filter((pending) => pending.mayBeWritten()))
    const next = await end.next()
    for (const pending of batch) await settleDependent(end, pending)
    // Checked after the last await: appends given up before then were answered with "nothing was written".
    const open = batch.filter((pending) => !pending.isSettled())
    return open.length > 0 ? await insert(next, open) : NOTHING_SENT
  }
}

/**
 * Settles an append if one of its dependencies has changed. An earlier, unanswered attempt can no longer be written:
 * the change, or a commit before it, has taken that attempt's position.
 */
async function settleDependent(end: LogEnd, pending: PendingAppend): Promise<void> {
  for (const dependency of pending.commit.dependsOn ?? []) {
    if (pending.isSettled()) return
    if ((await end.versionOf(dependency)) !== dependency.version) pending.settle({ type: 'dependency-changed' })
  }
}

/** Which unique value of a refused document already exists. */
function takenOf(refusal: Refusal): 'position' | 'stream version' | 'commitId' {
  const names = Object.keys(refusal.keyPattern ?? {})
  if (names.includes('_id')) return 'position'
  if (names.includes('stream')) return 'stream version'
  if (names.includes('commitId')) return 'commitId'
  throw new MongoServerError(refusal)
}
