import { acceptedRequestCommit } from './accepted-request.ts'
import { appendUntilKnown } from './append-until-known.ts'
import type { CommandContext } from './command-context.ts'
import type { CommandDone, CommandOutcome } from './command-outcome.ts'
import { type AggregateSource, answerAgain } from './earlier-commit.ts'

/** A command that was accepted but changed nothing. */
export interface Unchanged<State> {
  /** The aggregate's. */
  readonly id: string
  readonly outcome: CommandDone<State>
  /** Milliseconds since the epoch. */
  readonly at: number
}

/**
 * Records that a keyed request was accepted and changed nothing: when repeated, it must not undo what others did
 * meanwhile. Returns its outcome, or that of an earlier request with the same key. Throws like appendUntilKnown.
 */
export async function rememberUnchanged<State>(
  source: AggregateSource<State>,
  { id, outcome, at }: Unchanged<State>,
  context: CommandContext,
): Promise<CommandOutcome<State, never>> {
  const { actor: by, requestId, requestHash, commitId, deadline } = context
  // Without a key no replay is promised, so nothing is written.
  if (commitId === undefined || requestHash === undefined) return outcome
  const { category } = source.view.definition
  const request = { stream: { category, id }, version: outcome.version }
  const commit = acceptedRequestCommit(commitId, request, { at, by, requestId, requestHash })
  const appended = await appendUntilKnown(source.events, commit, deadline)
  if (appended.type === 'already-appended') return await answerAgain(source, appended.receipt, context, id)
  if (appended.type === 'wrong-version') throw new Error(`The stream of request ${commitId} has another commit.`)
  return outcome
}
