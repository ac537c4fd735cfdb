import { LRUCache } from 'lru-cache'
import type { StreamName } from '../../../event-sourcing/event.ts'
import type { StreamVersion } from '../../../event-sourcing/ports/event-store.ts'
import type { PrimaryBarrier } from '../connection/primary-barrier.ts'
import { type CommitDocument, lastPosition, streamKey, versionAfter } from './commit-document.ts'
import type { LogReader } from './log-reader.ts'
import type { StreamHeads } from './stream-heads.ts'

/** The end of the log as this process knows it; other processes append there, too. */
export type LogEnd = ReturnType<typeof createLogEnd>

/** More streams than commits depend on at any time. A version that was evicted is read again. */
const MAX_VERSIONS = 1_000
/** Others rarely write more commits than this between two batches; when they do, the end is read again. */
const MAX_NEW_COMMITS = 500

interface LogEndOptions {
  readonly reader: LogReader
  readonly heads: StreamHeads
  readonly barrier: PrimaryBarrier
}

/** The end of a log, unknown until first requested. */
export function createLogEnd({ reader, heads, barrier }: LogEndOptions) {
  let next: number | undefined
  /** Versions of streams that commits depend on, including every commit up to `next`. */
  const versions = new LRUCache<string, number>({ max: MAX_VERSIONS })

  function learn(commit: Pick<CommitDocument, 'stream' | 'events'>): void {
    heads.learn(commit.stream, versionAfter(commit))
    if (versions.has(commit.stream)) versions.set(commit.stream, versionAfter(commit))
  }

  function forget(): void {
    next = undefined
    versions.clear()
  }

  return {
    /** The position for the next commit. */
    async next() {
      next ??= (await reader.head()) + 1
      return next
    },
    /**
     * A stream's version, which includes at least all commits before the position that `next` returned; call it after
     * that. A commit that raises the version meanwhile also takes the position. It is read behind the barrier: a new
     * primary may not show yet what its predecessor acknowledged, and the insert wouldn't notice a version that is too
     * low.
     */
    async versionOf(stream: StreamName) {
      const key = streamKey(stream)
      const version = versions.get(key) ?? (await barrier.read(() => reader.streamHead(stream)))
      versions.set(key, version)
      return version
    },
    /** Records that this process's commit is now the last one. */
    advance(commit: Pick<CommitDocument, '_id' | 'stream' | 'events'>) {
      learn(commit)
      next = lastPosition(commit) + 1
    },
    /** Forgets the end: it may have moved without this process noticing. */
    forget,
    /**
     * Forgets the end if a caller has read a newer version of a stream: a commit may not be refused because of an older
     * version than it was decided on.
     */
    forgetIfBehind({ stream, version }: StreamVersion) {
      if ((versions.get(streamKey(stream)) ?? version) < version) forget()
    },
    /**
     * Call it when another process has taken the next position: reads the commits written since, and returns their
     * commitIds.
     */
    async catchUp() {
      if (next === undefined) return new Set()
      const commits = await reader.commitsFrom(next, MAX_NEW_COMMITS)
      for (const commit of commits) learn(commit)
      const last = commits.at(-1)
      if (last === undefined || commits.length === MAX_NEW_COMMITS) forget()
      else next = lastPosition(last) + 1
      return new Set(commits.map(({ commitId }) => commitId))
    },
  }
}
