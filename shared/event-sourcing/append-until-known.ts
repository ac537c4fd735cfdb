import { setTimeout as pause } from 'node:timers/promises'
import { CodedError } from '../calls/errors.ts'
import { type AppendOutcome, type Commit, type EventStore, StoreUnavailable } from './ports/event-store.ts'

/** An outcome of append that says whether the commit is in the log. */
export type KnownOutcome = Exclude<AppendOutcome, { type: 'unknown' }>

const FIRST_PAUSE_MILLISECONDS = 10
const LONGEST_PAUSE_MILLISECONDS = 500

/**
 * Appends, and when the outcome is unknown looks the commit up and sends it again until it is known: the commitId
 * keeps a second sending from being written. Throws `outcome_unknown` when it is still not known at the deadline, and
 * StoreUnavailable when nothing was written.
 */
export async function appendUntilKnown(events: EventStore, commit: Commit, deadline: number): Promise<KnownOutcome> {
  let outcome = await events.append(commit)
  for (let wait = FIRST_PAUSE_MILLISECONDS; outcome.type === 'unknown'; wait *= 2) {
    const milliseconds = Math.min(wait, LONGEST_PAUSE_MILLISECONDS)
    if (Date.now() + milliseconds > deadline) throw outcomeUnknown(outcome.cause)
    await pause(milliseconds)
    outcome = await tryAgain(events, commit)
  }
  return outcome
}

async function tryAgain(events: EventStore, commit: Commit): Promise<AppendOutcome> {
  try {
    const found = await lookUp(events, commit)
    if (found !== undefined) return found
    const outcome = await events.append(commit)
    // The first sending may have landed since the look-up and be the very commit that moved the stream.
    return outcome.type === 'wrong-version' ? ((await lookUp(events, commit)) ?? outcome) : outcome
  } catch (error) {
    // "Nothing was written" is said of this sending only, not of the first.
    if (error instanceof StoreUnavailable) return { type: 'unknown', cause: error }
    throw error
  }
}

async function lookUp(events: EventStore, { commitId }: Commit): Promise<AppendOutcome | undefined> {
  const receipt = await events.findCommit(commitId)
  return receipt && { type: 'already-appended', receipt }
}

/** What a caller is told whose write may be in the log, or is there without its answer. */
export function outcomeUnknown(cause: unknown): CodedError {
  return new CodedError(
    'outcome_unknown',
    'The change may have been made or not: send it again with the same Idempotency-Key to find out.',
    { cause },
  )
}
