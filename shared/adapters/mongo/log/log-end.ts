import { LRUCache } from 'lru-cache'
import type { StreamName } from '../../../event-sourcing/event.ts'
import type { StreamVersion } from '../../../event-sourcing/ports/event-store.ts'
import type { PrimaryBarrier } from '../connection/primary-barrier.ts'
import { type CommitDocument, lastPosition, streamKey, versionAfter } from './commit-document.ts'
import type { LogReader } from './log-reader.ts'
import type { StreamHeads } from './stream-heads.ts'

/** The end of the log as this process knows it; other processes append there, too. */
export type LogEnd = ReturnType<typeof createLogEnd>

/** More streams than commits depend on at a time. A version that was dropped is read again. */
const MAX_VERSIONS = 1_000
/** Others rarely write more than this between two batches; when they do, the end is read again. */
const MAX_NEWS = 500

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
     * A stream's version, which includes at least all commits before the position from `next`; call it after that. A
     * commit that raises the version meanwhile also takes the position. It is read behind the barrier: a new primary may
     * not show yet what its predecessor acknowledged, and a version that is too low would not be noticed by the insert.
     */
    async versionOf(stream: StreamName) {
      const key = streamKey(stream)
      const version = versions.get(key) ?? (await barrier.read(() => reader.streamHead(stream)))
      versions.set(key, version)
      return version
    },
    /** Records that this commit of this process is now the last one. */
    passed(commit: Pick<CommitDocument, '_id' | 'stream' | 'events'>) {
      learn(commit)
      next = lastPosition(commit) + 1
    },
    /** Forgets the end, which may have moved unnoticed. */
    forget,
    /**
     * Forgets an end that is older than what a caller has read of a stream: only newer knowledge may refuse the commit
     * that was decided on it.
     */
    forgetIfBehind({ stream, version }: StreamVersion) {
      if ((versions.get(streamKey(stream)) ?? version) < version) forget()
    },
    /**
     * After another process has taken the next position: reads what has been written since, and returns the commitIds
     * of that.
     */
    async learnNews() {
      if (next === undefined) return new Set()
      const news = await reader.commitsFrom(next, MAX_NEWS)
      for (const commit of news) learn(commit)
      const last = news.at(-1)
      if (last === undefined || news.length === MAX_NEWS) forget()
      else next = lastPosition(last) + 1
      return new Set(news.map(({ commitId }) => commitId))
    },
  }
}
