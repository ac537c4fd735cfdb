import { CodedError, RefusedBefore } from '../calls/errors.ts'
import { appendUntilKnown, inDoubt } from './append-until-known.ts'
import type { CommandContext } from './command-context.ts'
import { type AggregateSource, answerAgain, type EarlierAnswer, findEarlierAnswer } from './earlier-commit.ts'
import type { CommandOutcome } from './outcomes.ts'
import { commitIdAfter, countRefusals, refusedRequestCommit } from './recorded-requests.ts'

interface Refusable<State> extends AggregateSource<State> {
  /** Milliseconds since the epoch. */
  readonly clock: () => number
  /** The aggregate that the command is for, if known. */
  readonly id?: string
  /** Refreshed before a retry, since decisions depend on it. */
  readonly dependency?: { refresh(): Promise<unknown> }
}

/**
 * Runs a command so that a refusal is final: no other attempt under the same commitId, which may be in transit or held by
 * a frozen process, can be executed afterwards. A first attempt (`isNewCommit`) pays nothing for this.
 *
 * A request with a key may be sent again after a refusal. It is then executed under the next commitId, while attempts
 * from before the refusal still have the previous one. A sender that makes several attempts states how many refusals it
 * knows of (`refusals`); otherwise, it is the number in the log when the command starts.
 *
 * `run` is called with the commitId to write under. Throws what `run` throws, RefusedBefore, `unavailable` if the request
 * was refused meanwhile, and `outcome_unknown` while an earlier attempt may still be written.
 */
export async function withFinalRefusal<State, Rejection>(
  source: Refusable<State>,
  context: CommandContext,
  run: (context: CommandContext) => Promise<CommandOutcome<State, Rejection> | EarlierAnswer<State>>,
): Promise<CommandOutcome<State, Rejection>> {
  let { refusals = 0 } = context
  let attempt = attemptAfter(refusals, context)
  let earlier = await findBefore(source, attempt)
  if (earlier?.type === 'refused-before' && refusals === 0) {
    refusals = await countRefusals(source.events, context.commitId)
    if (context.refusals !== undefined || Date.now() >= context.deadline) throw new RefusedBefore(refusals)
    attempt = attemptAfter(refusals, context)
    earlier = await findBefore(source, attempt)
  }
  let outcome = earlier ?? (await run(attempt))
  if (outcome.type === 'refused-before') {
    // Refused meanwhile: its commitId is taken, so it can't be written, but it may still be refused for the same reason.
    await source.dependency?.refresh()
    outcome = await run(attempt)
  }
  if (outcome.type === 'refused-before') throw refusedMeanwhile()
  const isRefusal = outcome.type === 'rejected' || outcome.type === 'precondition-failed'
  if (!isRefusal || context.isNewCommit) return outcome
  const { actor: by, requestId, deadline } = context
  const fence = refusedRequestCommit(context.commitId, refusals, { at: source.clock(), by, requestId })
  const appended = await appendUntilKnown(source.events, fence, deadline).catch((error) => {
    throw inDoubt(error)
  })
  if (appended.type === 'appended') return outcome
  if (appended.type !== 'already-appended') throw new Error(`Refusal ${refusals} of a request is out of order.`)
  const written = await answerAgain(source, appended.receipt, attempt, source.id)
  // Otherwise it was refused concurrently, or the commitId is another request's: either way, it can't be written.
  return written.type === 'done' ? written : outcome
}

const attemptAfter = (refusals: number, context: CommandContext): CommandContext => ({
  ...context,
  commitId: commitIdAfter(context.commitId, refusals),
})

/** The earlier answer to a request with a key. */
async function findBefore<State>(
  source: Refusable<State>,
  context: CommandContext,
): Promise<EarlierAnswer<State> | undefined> {
  if (context.requestHash === undefined || context.isNewCommit) return undefined
  const earlier = await findEarlierAnswer(source, context, source.id)
  // A missing record is reported before a reused key.
  const isMissing = earlier?.type === 'key-reused' && source.id !== undefined && !(await source.view.get(source.id))
  return isMissing ? undefined : earlier
}

const refusedMeanwhile = () =>
  new CodedError('unavailable', 'Another attempt at this request was refused; nothing was written: try again.')
