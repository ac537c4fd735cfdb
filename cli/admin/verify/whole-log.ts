import type { Position } from '../../../shared/event-sourcing/event.ts'
import type { Inspection, RecordedCommit } from '../../../shared/event-sourcing/ports/inspection.ts'
import { readAhead } from '../../../shared/event-sourcing/read-ahead.ts'

/** How many commits are read at a time. */
const COMMITS = 1_000

/** The commits after a position, in order, up to the one at another position. */
export async function* wholeLog(
  { readCommits }: Inspection,
  { after, last }: { readonly after?: Position; readonly last: Position },
): AsyncGenerator<readonly RecordedCommit[]> {
  const readAfter = (position: Position) => readCommits(position, COMMITS)
  for await (const commits of readAhead({ readAfter, positionOf: ({ position }) => position }, after)) {
    const due = commits.filter(({ position }) => position <= last)
    yield due
    if (due.length < commits.length) return
  }
}
