import type { CommandContext } from './command-context.ts'
import type { CommandOutcome } from './command-outcome.ts'
import { stateAt } from './past-states.ts'
import type { CommitReceipt, EventStore } from './ports/event-store.ts'
import type { View } from './ports/view.ts'

/** Where the aggregates of one kind are found, as they are and as they were at an earlier commit. */
export interface AggregateSource<State> {
  readonly events: EventStore
  readonly view: View<State>
}

/**
 * The answer that the context's commitId got before, or undefined when the log has no such commit. Without a commitId
 * from the caller there is nothing to ask for. `id`: the aggregate that the command is for, where it is known.
 */
export async function findEarlierAnswer<State>(
  source: AggregateSource<State>,
  context: CommandContext,
  id?: string,
): Promise<CommandOutcome<State, never> | undefined> {
  if (context.commitId === undefined) return undefined
  const receipt = await source.events.findCommit(context.commitId)
  return receipt && (await answerAgain(source, receipt, context, id))
}

/** The first answer again: the state as it stood after that commit. */
export async function answerAgain<State>(
  source: AggregateSource<State>,
  receipt: CommitReceipt,
  { requestHash }: CommandContext,
  id?: string,
): Promise<CommandOutcome<State, never>> {
  const { stream, version } = receipt
  const sameRequest = requestHash === undefined || requestHash === receipt.requestHash
  const sameTarget = stream.category === source.view.definition.category && (id === undefined || id === stream.id)
  if (!sameRequest || !sameTarget) return { type: 'key-reused' }
  const state = await stateAt(source, stream.id, version)
  return { type: 'done', state, version, replayed: true, changed: true }
}
