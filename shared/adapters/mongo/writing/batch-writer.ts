import { setTimeout as delay } from 'node:timers/promises'
import type { Db } from 'mongodb'
import { isUnavailable, neverReachedServer } from '../connection/availability.ts'
import { lastPosition, versionAfter } from '../log/commit-document.ts'
import type { LogEnd } from '../log/log-end.ts'
import type { LogReader } from '../log/log-reader.ts'
import type { StreamHeads } from '../log/stream-heads.ts'
import { insertBatch } from './batch-insert.ts'
import type { PendingAppend } from './pending-append.ts'

/** Between two tries while the engine is away, in milliseconds. */
const RETRY_DELAY = 50

export type BatchWriter = ReturnType<typeof createBatchWriter>

export interface BatchWriterOptions {
  readonly db: Db
  readonly reader: LogReader
  readonly end: LogEnd
  readonly heads: StreamHeads
}

/** A writer; one for each log and process, as it keeps in mind where the log ends. */
export function createBatchWriter(options: BatchWriterOptions) {
  const { end } = options

  /** Returns how many found their position taken. */
  async function tryOnce(open: readonly PendingAppend[], lookUpFirst: boolean): Promise<number> {
    if (lookUpFirst) await lookUp(options, open)
    const next = await end.next()
    // Checked after the last await: callers given up before sending were told that nothing was written.
    const rest = open.filter((pending) => !pending.isSettled())
    return rest.length > 0 ? await insertOnce(options, next, rest) : 0
  }

  return {
    /**
     * Writes the appends at the log's end, in order, and resolves once each one is settled, to how many found their position
     * taken by another process. Whatever happens on the way (another process's batch in between, a lost connection, an
     * election), each is in the log once or not at all: a commit is only ever sent with the same commitId, and positions are
     * only given out after the last committed one.
     */
    async write(batch: readonly PendingAppend[]) {
      let open = batch
      let lookUpFirst = false
      let lostRaces = 0
      while (open.length > 0) {
        try {
          lostRaces += await tryOnce(open, lookUpFirst)
          lookUpFirst = false
        } catch (error) {
          end.forget()
          if (!isUnavailable(error)) for (const pending of open) pending.giveUp(error)
          lookUpFirst ||= !neverReachedServer(error)
          await delay(RETRY_DELAY)
        }
        open = open.filter((pending) => !pending.isSettled())
      }
      return lostRaces
    },
  }
}

/**
 * Sends one insert, and settles each append by its result; unsettled ones must be sent again. Returns how many found their
 * position taken.
 */
async function insertOnce(options: BatchWriterOptions, next: number, open: readonly PendingAppend[]): Promise<number> {
  const { db, end, heads } = options
  const { written, taken } = await insertBatch(db, next, open)
  for (const [index, document] of written.entries()) {
    end.passed(lastPosition(document) + 1)
    heads.learn(document.stream, versionAfter(document))
    open[index]?.settle({ type: 'written', document })
  }
  const refused = open[written.length]
  if (taken === undefined || refused === undefined) return 0
  if (taken === 'stream version') refused.settle({ type: 'wrong-version' })
  else if (taken === 'commitId') await lookUp(options, [refused])
  else {
    const lost = open.slice(written.length)
    await settleOvertaken(options, lost)
    return lost.length
  }
  return 0
}

/**
 * Others have written first: appends to the streams that they moved have lost, without being sent once more. One whose
 * own commitId is among what was written is for the next insert to find.
 */
async function settleOvertaken({ end, heads }: BatchWriterOptions, open: readonly PendingAppend[]): Promise<void> {
  const commitIds = await end.learnNews()
  for (const pending of open) {
    const { stream, commitId } = pending.document
    const isBehind = (heads.get(stream) ?? 0) > pending.commit.expectedVersion
    if (isBehind && !commitIds.has(commitId)) pending.settle({ type: 'wrong-version' })
  }
}

/** Settles those that the log has; the others were not written by any request answered so far. */
async function lookUp({ reader, heads }: BatchWriterOptions, open: readonly PendingAppend[]): Promise<void> {
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
