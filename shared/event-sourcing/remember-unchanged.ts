import { acceptedRequestCommit } from './accepted-request.ts'
import { appendUntilKnown } from './append-until-known.ts'
import type { CommandContext } from './command-context.ts'
import type { CommandDone, CommandOutcome } from './command-outcome.ts'
import { type AggregateSource, answerAgain } from './earlier-commit.ts'

/** A command that was accepted and came to nothing. */
export interface Unchanged<State> {
  /** The aggregate's. */
  readonly id: string
  readonly outcome: CommandDone<State>
  /** Milliseconds since the epoch. */
  readonly at: number
}

/**
 * Writes that a keyed request was accepted and changed nothing: sent again, it must not undo what others did meanwhile.
 * Answers its outcome, or that of an earlier request of the same key. Throws as appendUntilKnown does.
 */
export async function rememberUnchanged<State>(
  source: AggregateSource<State>,
  { id, outcome, at }: Unchanged<State>,
  context: CommandContext,
): Promise<CommandOutcome<State, never>> {
  const { actor: by, requestId, requestHash, commitId, deadline } = context
  // Without a key nobody is promised the same answer again, and nothing is written.
  if (commitId === undefined || requestHash === undefined) return outcome
  const { category } = source.view.definition
  const request = { stream: { category, id }, version: outcome.version }
  const commit = acceptedRequestCommit(commitId, request, { at, by, requestId, requestHash })
  const appended = await appendUntilKnown(source.events, commit, deadline)
  if (appended.type === 'already-appended') return await answerAgain(source, appended.receipt, context, id)
  if (appended.type === 'wrong-version') throw new Error(`The stream of request ${commitId} has another commit.`)
  return outcome
}
