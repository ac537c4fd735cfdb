import { lastPosition, versionAfter } from './commit-document.ts'
import type { LogReader } from './log-reader.ts'
import type { StreamHeads } from './stream-heads.ts'

/** The end of the log as this process knows it; other processes append there, too. */
export interface LogEnd {
  /** The position for the next commit. */
  next(): Promise<number>
  /** Records that a commit of this process is now the last one. */
  passed(nextPosition: number): void
  /** Forgets the end, which may have moved unnoticed. */
  forget(): void
  /**
   * After another process has taken the next position: reads what has been written since, and returns the commitIds of
   * that.
   */
  learnNews(): Promise<ReadonlySet<string>>
}

/** Others rarely write more than this between two batches; when they do, the end is read again. */
const MOST_NEWS = 500

/** The end of a log, unknown until first requested. */
export function createLogEnd(reader: LogReader, heads: StreamHeads): LogEnd {
  let next: number | undefined
  return {
    async next() {
      next ??= (await reader.head()) + 1
      return next
    },
    passed(position) {
      next = position
    },
    forget() {
      next = undefined
    },
    async learnNews() {
      if (next === undefined) return new Set()
      const news = await reader.commitsFrom(next, MOST_NEWS)
      for (const commit of news) heads.learn(commit.stream, versionAfter(commit))
      const last = news.at(-1)
      next = last === undefined || news.length === MOST_NEWS ? undefined : lastPosition(last) + 1
      return new Set(news.map(({ commitId }) => commitId))
    },
  }
}
