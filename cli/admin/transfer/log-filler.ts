import type { Position } from '../../../shared/event-sourcing/event.ts'
import type { Database } from '../../../shared/event-sourcing/ports/database.ts'
import type { RecordedCommit } from '../../../shared/event-sourcing/ports/inspection.ts'

/** So many commits are written together: a few megabytes where each has the longest of notes. */
const COMMITS = 500

/** Fills one log with commits of another, in their order. */
export interface LogFiller {
  add(commit: RecordedCommit): Promise<void>
  /** Writes what still waits. */
  finish(): Promise<void>
  /** How many events were there already. */
  readonly skipped: number
}

/** Goes on behind `head`, where an earlier try of the same import has come to. */
export function createLogFiller({ importer }: Pick<Database, 'importer'>, head: Position): LogFiller {
  let waiting: RecordedCommit[] = []
  let skipped = 0

  async function flush(): Promise<void> {
    await importer.writeCommits(waiting)
    waiting = []
  }

  return {
    async add(commit) {
      if (commit.position <= head) {
        skipped += commit.events.length
        return
      }
      waiting.push(commit)
      if (waiting.length >= COMMITS) await flush()
    },
    finish: flush,
    get skipped() {
      return skipped
    },
  }
}
