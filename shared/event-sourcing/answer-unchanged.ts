import { acceptedRequestCommit } from './accepted-request.ts'
import { appendUntilKnown } from './append-until-known.ts'
import type { CommandContext } from './command-context.ts'
import { type AggregateSource, answerAgain, type EarlierAnswer } from './earlier-commit.ts'
import type { Versioned } from './ports/view.ts'
import type { LostRace } from './record-decision.ts'

/** A command that was accepted but changed nothing. */
interface Unchanged<State> {
  /** The aggregate's. */
  readonly id: string
  /** What it was decided on, and nothing else. */
  readonly before: Versioned<State>
  /** Milliseconds since the epoch. */
  readonly at: number
}

/**
 * The outcome of a command that changes nothing, once a majority has confirmed that the aggregate is still as it was
 * decided on. A request that may be sent again, or was sent before, is recorded: another attempt, or a repeated request,
 * must not undo what others did meanwhile. Returns the outcome of an earlier attempt if there is one. Throws like
 * appendUntilKnown.
 */
export async function answerUnchanged<State>(
  source: AggregateSource<State>,
  { id, before, at }: Unchanged<State>,
  context: CommandContext,
): Promise<EarlierAnswer<State> | LostRace> {
  const { actor: by, requestId, requestHash, commitId, isNewCommit, deadline } = context
  const { state, version } = before
  const stream = { category: source.view.definition.category, id }
  const outcome = { type: 'done', state, version, replayed: false, changed: false } as const
  if (isNewCommit && requestHash === undefined) {
    const [currentVersion = 0] = await source.events.confirmedVersions([stream])
    return currentVersion === version ? outcome : { type: 'wrong-version', currentVersion }
  }
  const metadata = { at, by, requestId, ...(requestHash !== undefined && { requestHash }) }
  const appended = await appendUntilKnown(
    source.events,
    acceptedRequestCommit(commitId, { stream, version }, metadata),
    deadline,
  )
  switch (appended.type) {
    case 'appended':
      return outcome
    case 'already-appended':
      return await answerAgain(source, appended.receipt, context, id)
    case 'dependency-changed':
      return { type: 'wrong-version', currentVersion: version + 1 }
    case 'wrong-version':
      throw new Error(`The stream of request ${commitId} has another commit.`)
  }
}
