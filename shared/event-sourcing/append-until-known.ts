import { setTimeout as pause } from 'node:timers/promises'
import { CodedError } from '../calls/errors.ts'
import { type AppendOutcome, type Commit, type EventStore, StoreUnavailable } from './ports/event-store.ts'

/** An append outcome that says whether the commit is in the log. */
type KnownOutcome = Exclude<AppendOutcome, { type: 'unknown' }>

const FIRST_PAUSE_MILLISECONDS = 10
const MAX_PAUSE_MILLISECONDS = 500

/**
 * Appends a commit, again and again while the outcome is unknown: its commitId prevents a second write, and the store
 * finds the first. Throws `outcome_unknown` when the outcome is still unknown at the deadline, and StoreUnavailable when
 * nothing was written.
 */
export async function appendUntilKnown(events: EventStore, commit: Commit, deadline: number): Promise<KnownOutcome> {
  let outcome = await events.append(commit)
  for (let wait = FIRST_PAUSE_MILLISECONDS; outcome.type === 'unknown'; wait *= 2) {
    const milliseconds = Math.min(wait, MAX_PAUSE_MILLISECONDS)
    if (Date.now() + milliseconds > deadline) throw outcomeUnknown(outcome.cause)
    await pause(milliseconds)
    outcome = await events.append(commit).catch((cause) => {
      // Nothing was written by this attempt; the first one may still have been.
      if (cause instanceof StoreUnavailable) return { type: 'unknown', cause }
      throw cause
    })
  }
  return outcome
}

/** Turns StoreUnavailable, which says that nothing was written, into `outcome_unknown` where a commit may be in the log. */
export const inDoubt = (error: unknown): unknown => (error instanceof StoreUnavailable ? outcomeUnknown(error) : error)

/** The error for a write that may be in the log, or whose answer can't be read although it is. */
function outcomeUnknown(cause: unknown): CodedError {
  return new CodedError(
    'outcome_unknown',
    'The change may or may not have been made: send it again with the same Idempotency-Key to find out.',
    { cause },
  )
}
