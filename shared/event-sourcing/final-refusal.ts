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
  /** What decisions depend on; it may have changed. */
  readonly dependency?: { refresh(): Promise<unknown> }
}

/**
 * Runs a command so that a refusal is final: no other attempt under the same commitId, which may be on its way or with a
 * process that is frozen, is carried out afterwards. A first attempt (`isNewCommit`) pays nothing for it.
 *
 * A request with a key may be sent again after a refusal: it is then carried out under the commitId that comes next,
 * while attempts that began before the refusal still have the old one. A sender that makes several attempts says how many
 * refusals it knows of (`refusals`); otherwise those count that are found before anything else is done.
 *
 * `run` is called with the commitId to write under. Throws what it throws, RefusedBefore, `unavailable` when it was refused
 * after it began, and `outcome_unknown` while an earlier attempt may still be written.
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
    // Refused since it began: its commitId is taken, so that it writes nothing, but it may be refused for the same reason.
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
  // Otherwise it was refused at the same time, or the commitId is that of another request: it can't be written, either.
  return written.type === 'done' ? written : outcome
}

const attemptAfter = (refusals: number, context: CommandContext): CommandContext => ({
  ...context,
  commitId: commitIdAfter(context.commitId, refusals),
})

/** What the log has of a request with a key before this attempt does anything. */
async function findBefore<State>(
  source: Refusable<State>,
  context: CommandContext,
): Promise<EarlierAnswer<State> | undefined> {
  if (context.requestHash === undefined || context.isNewCommit) return undefined
  const earlier = await findEarlierAnswer(source, context, source.id)
  // That there is no such record goes before the use of the key for another request.
  const isMissing = earlier?.type === 'key-reused' && source.id !== undefined && !(await source.view.get(source.id))
  return isMissing ? undefined : earlier
}

const refusedMeanwhile = () =>
  new CodedError('unavailable', 'Another attempt of this request was refused; nothing was written: try again.')
