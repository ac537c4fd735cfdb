import { checkIdentity, identify, movedAway } from '../any-thread/file-identity.ts'
import type { Statements } from '../any-thread/statements.ts'

/** The row of `checkpoints` whose epoch counts how often the file was opened for writing. */
const WRITER = 'writer'

/**
 * Makes this process the only one that may write the file, whoever had it open before: normally nobody, as the folder's
 * lock keeps others out, but a lock can be removed. Answers what is to be called within each transaction: it throws when
 * another process has opened the file for writing since, or another file is in its place. Whoever opened it has seen
 * everything that was committed before, and nothing is committed after.
 */
export function takeOwnership(statements: Statements, file: string): () => void {
  const identity = identify(file)
  const taken = statements
    .of(`INSERT INTO checkpoints VALUES (?, 0, 1, NULL, 0) ON CONFLICT DO UPDATE SET epoch = epoch + 1 RETURNING epoch`)
    .get(WRITER)
  return () => {
    checkIdentity(identity)
    const found = statements.of('SELECT epoch FROM checkpoints WHERE name = ?').get(WRITER)
    if (found?.epoch === taken?.epoch) return
    throw movedAway(`another Mint has opened ${file}: this one writes it no more, stop one of them`)
  }
}
