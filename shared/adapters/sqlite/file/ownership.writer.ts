import { checkingIdentity, movedAway } from './file-identity.ts'
import type { Statements } from './statements.ts'

/** The row of `checkpoints` whose epoch counts how often the file was opened for writing. */
const WRITER = 'writer'

/**
 * Makes this process the only one that may write the file. Normally the folder's lock ensures that no other has it
 * open, but a lock file can be removed. Returns a function to call within each transaction: it throws once another
 * process has opened the file for writing, or another file is in its place. So the process that opened the file last
 * sees everything committed before, and others commit nothing afterwards.
 */
export function takeOwnership(statements: Statements, file: string): () => void {
  const checkIdentity = checkingIdentity(file)
  const taken = statements
    .of(`INSERT INTO checkpoints VALUES (?, 0, 1, NULL, 0) ON CONFLICT DO UPDATE SET epoch = epoch + 1 RETURNING epoch`)
    .get(WRITER)
  return () => {
    checkIdentity()
    const found = statements.of('SELECT epoch FROM checkpoints WHERE name = ?').get(WRITER)
    if (found?.epoch === taken?.epoch) return
    throw movedAway(`another Mint has opened ${file}: this one no longer writes to it; stop one of them`)
  }
}
