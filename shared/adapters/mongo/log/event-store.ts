import type { Position, StreamName } from '../../../event-sourcing/event.ts'
import {
  type AppendOutcome,
  type Commit,
  type CommitReceipt,
  type EventStore,
  type LogRange,
  StoreUnavailable,
} from '../../../event-sourcing/ports/event-store.ts'
import { MAX_SCANNED } from '../../../event-sourcing/ports/log-scan.ts'
import { newDeadline, orUnavailable } from '../connection/availability.ts'
import type { PrimaryBarrier } from '../connection/primary-barrier.ts'
import type { GroupCommit } from '../writing/group-commit.ts'
import { createPendingAppend } from '../writing/pending-append.ts'
import { lastPosition, streamKey, toReceipt, versionAfter } from './commit-document.ts'
import type { LogEnd } from './log-end.ts'
import type { LogReader } from './log-reader.ts'

export interface EventStoreOptions {
  readonly reader: LogReader
  readonly barrier: PrimaryBarrier
  readonly end: LogEnd
  readonly groupCommit: GroupCommit
}

/**
 * The event store on MongoDB; each call ends within CALL_TIMEOUT, whatever the engine does. It ignores a commit's rows:
 * views follow the log, and show everything in it to later readers.
 */
export function createEventStore(options: EventStoreOptions): EventStore {
  const { reader, barrier, groupCommit } = options
  const wakers = new Set<() => void>()
  const appends: Promise<AppendOutcome>[] = []

  function append(commit: Commit): Promise<AppendOutcome> {
    const appending = appendNow(commit).finally(() => appends.splice(appends.indexOf(appending), 1))
    appends.push(appending)
    return appending
  }

  async function appendNow(commit: Commit): Promise<AppendOutcome> {
    const deadline = newDeadline()
    if (!(await isAtExpectedVersion(options, commit, deadline))) return await refused(options, commit, deadline)
    const pending = createPendingAppend(commit, deadline)
    groupCommit.add(pending)
    const outcome = await pending.outcome
    switch (outcome.type) {
      case 'wrong-version':
      case 'dependency-changed':
        return await refused(options, commit, deadline, outcome.type).catch((cause) => {
          // "Nothing was written" would be wrong while an unanswered request may have written it.
          if (!(cause instanceof StoreUnavailable) || !pending.mayBeWritten()) throw cause
          return { type: 'unknown', cause }
        })
      case 'unknown':
        return outcome
      case 'found':
        return { type: 'already-appended', receipt: toReceipt(outcome.document) }
      case 'written': {
        for (const wake of wakers) wake()
        const { document } = outcome
        return { type: 'appended', version: versionAfter(document), position: lastPosition(document) }
      }
    }
  }

  async function confirmedVersions(streams: readonly StreamName[]): Promise<readonly number[]> {
    await barrier.confirmed()
    return await barrier.read(() => Promise.all(streams.map(reader.streamHead)))
  }

  /** In parts: to count the events of a long log takes longer than a call may. */
  async function countIn(categories: readonly string[], { after, upTo }: LogRange): Promise<number> {
    let count = 0
    for (let from = after; from < upTo; from = (from + MAX_SCANNED) as Position) {
      count += await orUnavailable(barrier.read(() => reader.countIn(categories, { after: from, upTo })))
    }
    return count
  }

  return {
    append,
    settled: async () => void (await Promise.allSettled(appends)),
    readStream: (stream, range) => orUnavailable(barrier.read(() => reader.readStream(stream, range))),
    readAll: (after, limit) => orUnavailable(barrier.read(() => reader.readAll(after, limit))),
    scan: (scan) => orUnavailable(barrier.read(() => reader.scan(scan))),
    findCommit: (commitId) => findCommit(options, commitId),
    confirmedVersions: (streams) => orUnavailable(confirmedVersions(streams)),
    head: () => orUnavailable(barrier.read(reader.head)),
    countIn,
    onAppended(wake) {
      wakers.add(wake)
      return () => wakers.delete(wake)
    },
  }
}

async function findCommit(
  { reader, barrier }: EventStoreOptions,
  commitId: string,
  deadline?: number,
): Promise<CommitReceipt | undefined> {
  const [document] = await orUnavailable(
    barrier.read(() => reader.findCommits([commitId])),
    deadline,
  )
  return document && toReceipt(document)
}

/** The outcome of a commit whose expected version or dependency didn't match: it may be in the log already. */
async function refused(
  options: EventStoreOptions,
  { commitId, stream }: Commit,
  deadline: number,
  why: 'wrong-version' | 'dependency-changed' = 'wrong-version',
): Promise<AppendOutcome> {
  const [receipt, currentVersion] = await Promise.all([
    findCommit(options, commitId, deadline),
    orUnavailable(
      options.barrier.read(() => options.reader.streamHead(stream)),
      deadline,
    ),
  ])
  if (receipt) return { type: 'already-appended', receipt }
  return why === 'wrong-version' ? { type: why, currentVersion } : { type: why }
}

/**
 * The index on versions catches an expected version that is too low, but not one that is too high; so the stream must
 * be known to have reached that version.
 */
async function isAtExpectedVersion(
  { reader, end, groupCommit }: EventStoreOptions,
  { stream, expectedVersion }: Commit,
  deadline: number,
): Promise<boolean> {
  const key = streamKey(stream)
  const known = end.lastSeen(key)
  if (known >= expectedVersion) return known === expectedVersion
  if (groupCommit.isBusy(key)) return true
  const version = await orUnavailable(reader.streamHead(stream), deadline)
  end.see(key, version)
  return version === expectedVersion
}
