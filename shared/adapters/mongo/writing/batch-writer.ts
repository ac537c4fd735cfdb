import { setTimeout as delay } from 'node:timers/promises'
import { type Db, MongoServerError } from 'mongodb'
import { boundedRounds, Stalled } from '../../../event-sourcing/bounded-rounds.ts'
import { isUnavailable, neverReachedServer } from '../connection/availability.ts'
import { type CommitDocument, insertCommits, type Refusal, versionAfter } from '../log/commit-document.ts'
import type { LogEnd } from '../log/log-end.ts'
import type { LogReader } from '../log/log-reader.ts'
import type { StreamHeads } from '../log/stream-heads.ts'
import type { PendingAppend } from './pending-append.ts'

/** Interval between two attempts while the engine is unavailable, in milliseconds. */
const RETRY_DELAY = 50
/** How long the server waits for a write to reach a majority, in milliseconds; then the log is searched for it. */
const MAJORITY_TIMEOUT = 3_000

export type BatchWriter = ReturnType<typeof createBatchWriter>

export interface BatchWriterOptions {
  readonly db: Db
  readonly reader: LogReader
  readonly end: LogEnd
  readonly heads: StreamHeads
}

/**
 * Returns a function that writes appends at the log's end, in order, and resolves once each one is settled, to the
 * number that lost their position to another process. Whatever happens in between (another process's batch, a lost
 * connection, an election), each is in the log once or not at all: a commit is always sent with the same commitId, and
 * positions are only assigned after the last committed one. Use one per log and process: it caches the log's end.
 */
export function createBatchWriter(options: BatchWriterOptions) {
  const { end } = options

  /** Returns how many lost their position. */
  async function tryOnce(open: readonly PendingAppend[], searchFirst: boolean): Promise<number> {
    if (searchFirst) await settleWritten(options, open)
    for (const { commit } of open) commit.dependsOn?.forEach(end.forgetIfBehind)
    const next = await end.next()
    for (const pending of open) await settleDependent(end, pending)
    // Checked after the last await: appends given up before then were answered with "nothing was written".
    const rest = open.filter((pending) => !pending.isSettled())
    return rest.length > 0 ? await insertOnce(options, next, rest) : 0
  }

  return async (batch: readonly PendingAppend[]): Promise<number> => {
    let open = batch
    let searchFirst = false
    let lostRaces = 0
    const again = boundedRounds('batch writer')
    while (open.length > 0) {
      try {
        lostRaces += await tryOnce(open, searchFirst)
        searchFirst = false
        open = open.filter((pending) => !pending.isSettled())
        if (open.length > 0) await again(`${open.length} appends at ${await end.next()}`)
      } catch (error) {
        end.forget()
        if (!isUnavailable(error) || error instanceof Stalled) for (const pending of open) pending.giveUp(error)
        searchFirst ||= !neverReachedServer(error)
        await delay(RETRY_DELAY)
      }
      open = open.filter((pending) => !pending.isSettled())
    }
    return lostRaces
  }
}

/**
 * Settles an append if one of its dependencies has changed. An earlier, unanswered attempt can no longer be written:
 * the change, or a commit before it, has taken that attempt's position.
 */
async function settleDependent(end: LogEnd, pending: PendingAppend): Promise<void> {
  for (const { stream, version } of pending.commit.dependsOn ?? []) {
    if (pending.isSettled()) return
    if ((await end.versionOf(stream)) !== version) pending.settle({ type: 'dependency-changed' })
  }
}

/**
 * Sends one insert, and settles each append by its result; unsettled ones must be sent again. Returns how many lost
 * their position.
 */
async function insertOnce(options: BatchWriterOptions, next: number, open: readonly PendingAppend[]): Promise<number> {
  const { db, end } = options
  const { written, taken } = await insertBatch(db, next, open)
  for (const [index, document] of written.entries()) {
    end.advance(document)
    open[index]?.settle({ type: 'written', document })
  }
  const refused = open[written.length]
  if (taken === undefined || refused === undefined) return 0
  if (taken === 'stream version') refused.settle({ type: 'wrong-version' })
  else if (taken === 'commitId') await settleWritten(options, [refused])
  else {
    const lost = open.slice(written.length)
    await settleOvertaken(options, lost)
    return lost.length
  }
  return 0
}

/** The result of a batch: the first documents were written, the next one was refused, and the rest not attempted. */
interface InsertOutcome {
  readonly written: readonly CommitDocument[]
  /** Which unique value of the refused document already exists; undefined when all were written. */
  readonly taken: 'position' | 'stream version' | 'commitId' | undefined
}

/**
 * Sends appends in one ordered insert, at consecutive positions. Throws the driver's error when the outcome is unknown
 * or they never reached a server; each append records which.
 */
async function insertBatch(db: Db, first: number, batch: readonly PendingAppend[]): Promise<InsertOutcome> {
  const documents = assignPositions(first, batch)
  for (const pending of batch) pending.sending()
  try {
    const { n, refusal } = await insertCommits(db, documents, { wtimeout: MAJORITY_TIMEOUT })
    for (const pending of batch.slice(n)) pending.notWritten()
    return { written: documents.slice(0, n), taken: refusal && takenOf(refusal) }
  } catch (error) {
    if (neverReachedServer(error)) for (const pending of batch) pending.notWritten()
    throw error
  }
}

function assignPositions(first: number, batch: readonly PendingAppend[]): CommitDocument[] {
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

/**
 * Another process wrote first: appends to streams that it advanced are settled as wrong version without being sent
 * again. An append whose own commitId is among those written is left for the next insert to find.
 */
async function settleOvertaken({ end, heads }: BatchWriterOptions, open: readonly PendingAppend[]): Promise<void> {
  const commitIds = await end.catchUp()
  for (const pending of open) {
    const { stream, commitId } = pending.document
    const isBehind = (heads.get(stream) ?? 0) > pending.commit.expectedVersion
    if (isBehind && !commitIds.has(commitId)) pending.settle({ type: 'wrong-version' })
  }
}

/** Settles the appends that are in the log. No request answered so far has written the others. */
async function settleWritten({ reader, heads }: BatchWriterOptions, open: readonly PendingAppend[]): Promise<void> {
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
