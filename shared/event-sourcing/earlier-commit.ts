import { inDoubt } from './append-until-known.ts'
import type { CommandContext } from './command-context.ts'
import type { CommandDone, CommandOutcome } from './outcomes.ts'
import { stateAt } from './past-states.ts'
import type { CommitReceipt, EventStore } from './ports/event-store.ts'
import type { View } from './ports/view.ts'
import {
  ACCEPTED_REQUEST,
  type AcceptedRequest,
  commitIdAfter,
  countRefusals,
  REFUSED_REQUEST,
  readAcceptedRequest,
} from './recorded-requests.ts'

/** Where the aggregates of one kind are read from, in their current and past states. */
export interface AggregateSource<State> {
  readonly events: EventStore
  readonly view: View<State>
}

/** How a request whose commitId is in the log was answered; `refused-before`: nothing can be written under it any more. */
export type EarlierAnswer<State> = CommandOutcome<State, never> | { readonly type: 'refused-before' }

/**
 * The first answer to the request with the context's commitId; undefined if that is not in the log. `id`: the aggregate
 * that the command is for, if known.
 */
export async function findEarlierAnswer<State>(
  source: AggregateSource<State>,
  context: CommandContext,
  id?: string,
): Promise<EarlierAnswer<State> | undefined> {
  const receipt = await source.events.findCommit(context.commitId)
  return receipt && (await answerAgain(source, receipt, context, id))
}

/**
 * Repeats the first answer: the state right after that commit. Throws `outcome_unknown` if it can't be read now, since
 * "nothing was written" would be wrong.
 */
export async function answerAgain<State>(
  source: AggregateSource<State>,
  receipt: CommitReceipt,
  { requestHash }: CommandContext,
  id?: string,
): Promise<EarlierAnswer<State>> {
  if (receipt.stream.category === REFUSED_REQUEST) return { type: 'refused-before' }
  if (requestHash !== undefined && requestHash !== receipt.requestHash) return { type: 'key-reused' }
  try {
    const { stream, version, changed } = await answeredWith(source.events, receipt)
    const sameTarget = stream.category === source.view.definition.category && (id === undefined || id === stream.id)
    if (!sameTarget) return { type: 'key-reused' }
    return { type: 'done', state: await stateAt(source, stream.id, version), version, replayed: true, changed }
  } catch (error) {
    throw inDoubt(error)
  }
}

/** `replayed`: the request created the aggregate `id`; `key-reused`: the commitId belongs to another request. */
export type EarlierCreation = { readonly type: 'replayed'; readonly id: string } | { readonly type: 'key-reused' }

/** The earlier request with the same commitId as a creation; undefined: there was none, or it was refused each time. */
export async function findEarlierCreation<State>(
  { events, view }: AggregateSource<State>,
  commitId: string,
  requestHash: string | undefined,
): Promise<EarlierCreation | undefined> {
  const receipt = await findUnrefused(events, commitId)
  if (receipt === undefined) return undefined
  const { category, id } = receipt.stream
  const isSameRequest = requestHash === undefined || requestHash === receipt.requestHash
  return isSameRequest && category === view.definition.category ? { type: 'replayed', id } : { type: 'key-reused' }
}

/** The commit of a request, however often it was refused before; undefined: there is none, or all were refused. */
export async function findUnrefused(events: EventStore, commitId: string): Promise<CommitReceipt | undefined> {
  const first = await events.findCommit(commitId)
  if (first?.stream.category !== REFUSED_REQUEST) return first
  const latest = await events.findCommit(commitIdAfter(commitId, await countRefusals(events, commitId)))
  return latest?.stream.category === REFUSED_REQUEST ? undefined : latest
}

/** The aggregate and version in the answer to a commit. */
async function answeredWith(
  events: EventStore,
  { stream, version }: CommitReceipt,
): Promise<AcceptedRequest & Pick<CommandDone<unknown>, 'changed'>> {
  if (stream.category !== ACCEPTED_REQUEST) return { stream, version, changed: true }
  const [event] = await events.readStream(stream)
  if (event === undefined) throw new Error(`The log has a commit on ${stream.category} ${stream.id}, but no events.`)
  return { ...readAcceptedRequest(event), changed: false }
}
