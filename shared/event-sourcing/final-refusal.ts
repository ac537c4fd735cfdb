import { RefusedBefore } from '../calls/errors.ts'
import { appendUntilKnown, type KnownOutcome, outcomeUnknown } from './append-until-known.ts'
import { boundedRounds } from './bounded-rounds.ts'
import type { CommandContext } from './command-context.ts'
import type { CommandOutcome } from './command-outcome.ts'
import { type AggregateSource, answerAgain, type EarlierAnswer } from './earlier-commit.ts'
import { type Commit, type EventStore, StoreUnavailable } from './ports/event-store.ts'
import { commitIdAfter, countRefusals, refusedRequestCommit } from './refused-request.ts'

interface Refusable<State> extends AggregateSource<State> {
  /** Milliseconds since the epoch. */
  readonly clock: () => number
  /** The aggregate that the command is for, if known. */
  readonly id?: string
}

/**
 * Runs a command so that a refusal is final: no other attempt under the same commitId, which may be on its way or with a
 * process that is frozen, is carried out afterwards. A first attempt (`isNewCommit`) pays nothing for it.
 *
 * A request with a key may be sent again after a refusal: it is then carried out under the commitId that comes next,
 * while attempts from before the refusal still have the old one. A sender that makes several attempts says which one
 * (`refusals`), since here they can't be told apart.
 *
 * `run` is called with the commitId to write under. Throws what it throws, RefusedBefore, and `outcome_unknown` while an earlier
 * attempt may still be written.
 */
export async function withFinalRefusal<State, Rejection>(
  source: Refusable<State>,
  context: CommandContext,
  run: (context: CommandContext) => Promise<CommandOutcome<State, Rejection> | EarlierAnswer<State>>,
): Promise<CommandOutcome<State, Rejection>> {
  const again = boundedRounds('refused request')
  for (let { refusals = 0 } = context; ; ) {
    const attempt = refusals === 0 ? context : { ...context, commitId: commitIdAfter(context.commitId, refusals) }
    const outcome = await run(attempt)
    if (outcome.type === 'refused-before') {
      refusals = await countRefusals(source.events, context.commitId)
      if (context.requestHash === undefined || context.refusals !== undefined) throw new RefusedBefore(refusals)
      if (Date.now() >= context.deadline) throw new RefusedBefore(refusals)
      await again(`${refusals}`)
      continue
    }
    const isRefusal = outcome.type === 'rejected' || outcome.type === 'precondition-failed'
    if (!isRefusal || context.isNewCommit) return outcome
    const { actor: by, requestId, deadline } = context
    const fence = refusedRequestCommit(context.commitId, refusals, { at: source.clock(), by, requestId })
    const appended = await appendFence(source.events, fence, deadline)
    if (appended.type === 'appended') return outcome
    if (appended.type !== 'already-appended') throw new Error(`Refusal ${refusals} of a request is out of order.`)
    const earlier = await answerAgain(source, appended.receipt, attempt, source.id)
    // Otherwise it was refused at the same time, or the commitId is that of another request: it can't be written, either.
    return earlier.type === 'done' ? earlier : outcome
  }
}

async function appendFence(events: EventStore, fence: Commit, deadline: number): Promise<KnownOutcome> {
  try {
    return await appendUntilKnown(events, fence, deadline)
  } catch (error) {
    throw error instanceof StoreUnavailable ? outcomeUnknown(error) : error
  }
}
