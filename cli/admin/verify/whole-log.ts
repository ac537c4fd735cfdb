import { BEGINNING, type Position } from '../../../shared/event-sourcing/event.ts'
import type { Inspection, RecordedCommit } from '../../../shared/event-sourcing/inspection.ts'

/** Commits read in one step. */
const STEP = 1_000

/** All commits after a position, in order, until there are no more. */
export async function* wholeLog(
  inspection: Inspection,
  after: Position = BEGINNING,
): AsyncGenerator<readonly RecordedCommit[]> {
  for (let reached = after; ; ) {
    const commits = await inspection.readCommits(reached, STEP)
    const last = commits.at(-1)
    if (!last) return
    yield commits
    reached = last.position
  }
}
