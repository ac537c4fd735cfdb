import type { Position } from '../../../shared/event-sourcing/event.ts'
import type { Inspection, RecordedCommit } from '../../../shared/event-sourcing/ports/inspection.ts'
import { readAhead } from '../../../shared/event-sourcing/read-ahead.ts'

/** Commits read in one step. */
const STEP = 1_000

/** All commits after a position, in order, until there are no more. */
export function wholeLog(inspection: Inspection, after?: Position): AsyncGenerator<readonly RecordedCommit[]> {
  const readAfter = (position: Position) => inspection.readCommits(position, STEP)
  return readAhead({ readAfter, positionOf: ({ position }) => position }, after)
}
