import {
  type AppendOutcome,
  type Commit,
  type CommitReceipt,
  type EventStore,
  StoreUnavailable,
} from '../../../event-sourcing/ports/event-store.ts'
import { leavesSnapshot } from '../../../event-sourcing/snapshots.ts'
import { isUnavailable, orUnavailable, outOfPatience } from '../availability.ts'
import type { PrimaryBarrier } from '../primary-barrier.ts'
import type { RowWriter } from '../views/row-writer.ts'
import type { Snapshots } from '../views/snapshots.ts'
import type { StreamProjection } from '../views/stream-projection.ts'
import { writeUntilVisible } from '../views/write-until-visible.ts'
import type { GroupCommit } from '../writing/group-commit.ts'
import { createPendingAppend } from '../writing/pending-append.ts'
import { lastPosition, streamKey, toReceipt, versionAfter } from './commit-document.ts'
import type { LogReader } from './log-reader.ts'
import type { StreamHeads } from './stream-heads.ts'

export interface EventStoreParts {
  readonly reader: LogReader
  readonly barrier: PrimaryBarrier
  readonly heads: StreamHeads
  readonly groupCommit: GroupCommit
  readonly rowWriter: RowWriter
  readonly snapshots: Pick<Snapshots, 'add'>
  readonly projection: StreamProjection
  readonly wakers: Set<() => void>
}

/** The event store on MongoDB; each call is answered within PATIENCE, whatever the engine does. */
export function createEventStore(parts: EventStoreParts): EventStore {
  const { reader, barrier, groupCommit, rowWriter, snapshots, projection, wakers } = parts

  async function append(commit: Commit): Promise<AppendOutcome> {
    const until = outOfPatience()
    if (!(await standsAtExpectedVersion(parts, commit, until))) return await refused(commit, until)
    const pending = createPendingAppend(commit, until)
    groupCommit.add(pending)
    const outcome = await pending.outcome
    switch (outcome.type) {
      case 'wrong-version':
        return await refused(commit, until).catch((cause) => {
          // That nothing was written can't be said while a request without an answer may have done it.
          if (!(cause instanceof StoreUnavailable) || !pending.mayBeWritten()) throw cause
          return { type: 'unknown', cause }
        })
      case 'unknown':
        return outcome
      case 'found': {
        const receipt = toReceipt(outcome.document)
        return await visible({ type: 'already-appended', receipt }, () => show(receipt), until)
      }
      case 'written': {
        for (const wake of wakers) wake()
        const position = lastPosition(outcome.document)
        const version = versionAfter(outcome.document)
        if (leavesSnapshot(commit.expectedVersion, version)) snapshots.add(commit.rows)
        return await visible({ type: 'appended', version, position }, () => rowWriter.write(commit.rows), until)
      }
    }
  }

  const head = () => orUnavailable(barrier.read(reader.head))

  const show = ({ stream, version }: Pick<CommitReceipt, 'stream' | 'version'>) =>
    projection.showStream(stream, version)

  /** A commit whose version did not fit: perhaps because it is in the log already. */
  async function refused(commit: Commit, until: number): Promise<AppendOutcome> {
    const look = Promise.all([reader.findCommits([commit.commitId]), reader.streamHead(commit.stream)])
    const [[document], currentVersion] = await orUnavailable(look, until)
    const receipt = document && toReceipt(document)
    const outcome: AppendOutcome = receipt
      ? { type: 'already-appended', receipt }
      : { type: 'wrong-version', currentVersion }
    const seen = receipt ?? { stream: commit.stream, version: currentVersion }
    return await visible(outcome, () => show(seen), until)
  }

  return {
    append,
    readStream: (stream, range) => orUnavailable(barrier.read(() => reader.readStream(stream, range))),
    readAll: (after, limit) => orUnavailable(barrier.read(() => reader.readAll(after, limit))),
    async findCommit(commitId) {
      const until = outOfPatience()
      const find = barrier.read(() => reader.findCommits([commitId]))
      const [document] = await orUnavailable(find, until)
      if (document === undefined) return undefined
      const receipt = toReceipt(document)
      await orUnavailable(show(receipt), until)
      return receipt
    },
    head,
    countAfter: async (position) => (await head()) - position,
    onAppended(wake) {
      wakers.add(wake)
      return () => wakers.delete(wake)
    },
  }
}

/**
 * The index on versions catches an expected version that is too low, never one that is too high; so a stream must have
 * been seen to have come that far.
 */
async function standsAtExpectedVersion(
  { reader, heads, groupCommit }: EventStoreParts,
  { stream, expectedVersion }: Commit,
  until: number,
): Promise<boolean> {
  const key = streamKey(stream)
  const known = heads.get(key) ?? 0
  if (known >= expectedVersion) return known === expectedVersion
  if (groupCommit.isBusy(key)) return true
  const version = await orUnavailable(reader.streamHead(stream), until)
  heads.learn(key, version)
  return version === expectedVersion
}

/** An outcome goes out only when the views show what it says; when they can't be made to, it is unknown. */
async function visible(outcome: AppendOutcome, show: () => Promise<void>, until: number): Promise<AppendOutcome> {
  try {
    await writeUntilVisible(show, until)
    return outcome
  } catch (cause) {
    if (!isUnavailable(cause)) throw cause
    if (outcome.type === 'wrong-version') throw new StoreUnavailable('MongoDB is away, nothing was written', { cause })
    return { type: 'unknown', cause }
  }
}
