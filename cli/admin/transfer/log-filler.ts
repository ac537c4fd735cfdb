import type { Database } from '../../../shared/event-sourcing/database.ts'
import type { Position } from '../../../shared/event-sourcing/event.ts'
import type { RecordedCommit } from '../../../shared/event-sourcing/inspection.ts'
import { CommandFailure } from '../../exit.ts'

/** So many commits are written together: a few megabytes where each has the longest of notes. */
const COMMITS = 500

/** Fills one log with commits of another, in their order. */
export interface LogFiller {
  /** Throws CommandFailure when it goes on with another import than the one that was begun. */
  add(commit: RecordedCommit): Promise<void>
  /** Writes what still waits. */
  finish(): Promise<void>
  /** How many events were there already. */
  readonly skipped: number
}

/**
 * Goes on behind `head`, where an earlier try may have come to: the commits up to there are passed over, and the last
 * of them must be the one that the log has.
 */
export function createLogFiller(database: Pick<Database, 'events' | 'importer'>, head: Position): LogFiller {
  let waiting: RecordedCommit[] = []
  let skipped = 0
  let lastSkipped: RecordedCommit | undefined

  async function checkLastSkipped(): Promise<void> {
    if (lastSkipped === undefined) return
    const known = await database.events.findCommit(lastSkipped.commitId)
    const isSame = known?.stream.category === lastSkipped.stream.category && known.stream.id === lastSkipped.stream.id
    if (!isSame) {
      throw new CommandFailure(
        'The interrupted import was of another file: go on with that one, or empty the target and begin anew.',
      )
    }
    lastSkipped = undefined
  }

  async function flush(): Promise<void> {
    await checkLastSkipped()
    await database.importer.writeCommits(waiting)
    waiting = []
  }

  return {
    async add(commit) {
      if (commit.position <= head) {
        lastSkipped = commit
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
