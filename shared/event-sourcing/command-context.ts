import { anonymousCaller, type CallContext } from '../calls/call-context.ts'
import { randomCommitId } from '../calls/ids.ts'

/** What accompanies a command's input. */
export interface CommandContext extends CallContext {
  /** When the caller stops waiting: wall clock, in milliseconds since the epoch. */
  readonly deadline: number
  readonly commitId: string
}

const DEFAULT_DEADLINE_MILLISECONDS = 5_000

/**
 * Fills in what the caller left out: its identity, a request id, a deadline in five seconds, and a new commitId. A
 * request hash without a commitId is dropped, since no retry could find the answer.
 */
export function toCommandContext(context: CallContext | undefined): CommandContext {
  const { requestHash, ...given }: CallContext = context ?? anonymousCaller()
  const { deadline = Date.now() + DEFAULT_DEADLINE_MILLISECONDS, commitId } = given
  if (commitId === undefined) return { ...given, deadline, commitId: randomCommitId(), isNewCommit: true }
  return { ...given, deadline, commitId, ...(requestHash !== undefined && { requestHash }) }
}
