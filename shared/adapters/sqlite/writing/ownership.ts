import { movedAway } from '../file-in-place.ts'
import type { Statements } from '../statements.ts'

/** The row of `checkpoints` whose epoch counts how often the file was opened for writing. */
const WRITER = 'writer'

/**
 * Makes this process the only one that may write the file, whoever had it open before: normally nobody, as the folder's
 * lock keeps others out, but a lock can be removed. Answers the epoch to check.
 */
export function takeOwnership(statements: Statements): number {
  const taken = statements
    .of(`INSERT INTO checkpoints VALUES (?, 0, 1, NULL, 0) ON CONFLICT DO UPDATE SET epoch = epoch + 1 RETURNING epoch`)
    .get(WRITER)
  return Number(taken?.epoch)
}

/**
 * To be called within each transaction: throws when another process has opened the file for writing since. It has seen
 * everything that was committed before, and nothing is committed after.
 */
export function checkOwnership(statements: Statements, epoch: number, file: string): void {
  const found = statements.of('SELECT epoch FROM checkpoints WHERE name = ?').get(WRITER)
  if (Number(found?.epoch) === epoch) return
  throw movedAway(`another Mint has opened ${file}: this one writes it no more, stop one of them`)
}
