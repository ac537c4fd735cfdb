import { anonymousCaller, type CallContext } from '../calls/call-context.ts'
import { randomCommitId } from '../calls/ids.ts'

/** What accompanies a command's input. */
export interface CommandContext extends CallContext {
  /** When the caller stops waiting: wall clock, in milliseconds since the epoch. */
  readonly deadline: number
  readonly commitId: string
}

const PATIENCE_MILLISECONDS = 5_000

/**
 * Fills in what the caller left out: its identity, a request id, a deadline five seconds from now, and a new commitId,
 * without which no answer can be remembered.
 */
export function toCommandContext(context: CallContext | undefined): CommandContext {
  const { requestHash, ...given }: CallContext = context ?? anonymousCaller()
  const { deadline = Date.now() + PATIENCE_MILLISECONDS, commitId } = given
  if (commitId === undefined) return { ...given, deadline, commitId: randomCommitId(), isNewCommit: true }
  return { ...given, deadline, commitId, ...(requestHash !== undefined && { requestHash }) }
}
