import { LRUCache } from 'lru-cache'
import type { StreamVersion } from '../../../event-sourcing/ports/event-store.ts'
import type { PrimaryBarrier } from '../connection/primary-barrier.ts'
import { type CommitDocument, lastPosition, streamKey, versionAfter } from './commit-document.ts'
import type { LogReader } from './log-reader.ts'

/** The end of the log as this process knows it; other processes append there, too. */
export type LogEnd = ReturnType<typeof createLogEnd>

/** More streams than are edited or created at any time. The version of another one is read again. */
const MAX_SEEN = 50_000
/** More streams than commits depend on at any time. A version that was evicted is read again. */
const MAX_VERSIONS = 1_000

/** The end of a log, unknown until first requested. */
export function createLogEnd(reader: Pick<LogReader, 'head' | 'streamHead'>, barrier: PrimaryBarrier) {
  let next: number | undefined
  /** Stream versions seen in the log: a stream may have advanced since, but can't have gone back. */
  const seen = new LRUCache<string, number>({ max: MAX_SEEN })
  /** Versions of streams that commits depend on, including every commit up to `next`. */
  const versions = new LRUCache<string, number>({ max: MAX_VERSIONS })

  /** Records a version that is in the log. */
  function see(stream: string, version: number): void {
    seen.set(stream, Math.max(seen.get(stream) ?? 0, version))
  }

  /** Forgets the end: another process has appended, or it may have moved without this process noticing. */
  function forget(): void {
    next = undefined
    versions.clear()
  }

  /** Records that a commit is now the last one. */
  function advance(commit: Pick<CommitDocument, '_id' | 'stream' | 'events'>): void {
    see(commit.stream, versionAfter(commit))
    if (versions.has(commit.stream)) versions.set(commit.stream, versionAfter(commit))
    next = lastPosition(commit) + 1
  }

  return {
    forget,
    advance,
    /** The position for the next commit. */
    async next() {
      next ??= (await reader.head()) + 1
      return next
    },
    /** The version of a stream (`category/id`) that was last seen, 0 if it is unknown. */
    lastSeen: (stream: string) => seen.get(stream) ?? 0,
    see,
    /**
     * The version of a stream that a commit depends on, which includes at least all commits before the position that
     * `next` returned; call it after that. A commit that raises the version meanwhile also takes the position. It is
     * read behind the barrier: a new primary may not show yet what its predecessor acknowledged, and the insert wouldn't
     * notice a version that is too low. It is read again if the commit was decided on a newer one than is known here: no
     * commit may be refused because of an older version.
     */
    async versionOf({ stream, version: decidedOn }: StreamVersion) {
      const key = streamKey(stream)
      const known = versions.get(key)
      if (known !== undefined && known >= decidedOn) return known
      const version = await barrier.read(() => reader.streamHead(stream))
      versions.set(key, version)
      see(key, version)
      return version
    },
  }
}
