import { lastPosition, versionAfter } from './commit-document.ts'
import type { LogReader } from './log-reader.ts'
import type { StreamHeads } from './stream-heads.ts'

/** Where the log ends, as far as this process knows: other processes write at the same place. */
export type LogEnd = ReturnType<typeof createLogEnd>

/** Others rarely write more than this between two batches; when they do, the end is read anew. */
const MOST_NEWS = 500

/** The end of a log, not known until it is first asked for. */
export function createLogEnd(reader: LogReader, heads: StreamHeads) {
  let next: number | undefined
  return {
    /** The position for the next commit. */
    async next() {
      next ??= (await reader.head()) + 1
      return next
    },
    /** A commit of this process is at the end now. */
    passed(position: number) {
      next = position
    },
    /** It may have moved in ways that nobody told of. */
    forget() {
      next = undefined
    },
    /**
     * Another process has taken the next position: learns what has been written since, and answers the commitIds of
     * that.
     */
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
