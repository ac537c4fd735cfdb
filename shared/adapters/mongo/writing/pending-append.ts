import { BSON, ObjectId } from 'mongodb'
import type { Commit } from '../../../event-sourcing/ports/event-store.ts'
import { StoreUnavailable } from '../../../event-sourcing/ports/event-store.ts'
import { CALL_TIMEOUT } from '../connection/availability.ts'
import { type CommitDocument, toDocument } from '../log/commit-document.ts'

/** The outcome of a commit in the log. */
export type LogOutcome =
  | { readonly type: 'written'; readonly document: CommitDocument }
  /** The log already has this commitId, from another call. */
  | { readonly type: 'found'; readonly document: CommitDocument }
  | { readonly type: 'wrong-version' | 'dependency-changed' }
  | { readonly type: 'unknown'; readonly cause: unknown }

/** A call of append that awaits its outcome. */
export type PendingAppend = ReturnType<typeof createPendingAppend>

/** @param deadline when it is settled at the latest, in milliseconds since the epoch */
export function createPendingAppend(commit: Commit, deadline: number) {
  const document = toDocument(commit, new ObjectId())
  const { promise, resolve, reject } = Promise.withResolvers<LogOutcome>()
  /** How many requests may have written it: in progress, or failed without an answer. */
  let uncertain = 0
  let settled = false
  // The error is made only if it is needed: its stack takes several microseconds.
  const late = () => giveUp(new Error(`MongoDB did not make the commit durable within ${CALL_TIMEOUT} ms`))
  const timer = setTimeout(late, Math.max(0, deadline - Date.now()))

  function end(): void {
    settled = true
    clearTimeout(timer)
  }

  /** Ends it now: unknown when it may have been written, otherwise the caller gets StoreUnavailable. */
  function giveUp(cause: unknown): void {
    end()
    if (uncertain > 0) resolve({ type: 'unknown', cause })
    else reject(new StoreUnavailable('MongoDB is unavailable; nothing was written', { cause }))
  }

  return {
    commit,
    document,
    bytes: BSON.calculateObjectSize(document, { ignoreUndefined: true }),
    outcome: promise,
    isSettled: () => settled,
    /** Whether a request that could have written it is in progress, or ended without an answer. */
    mayBeWritten: () => uncertain > 0,
    settle(outcome: LogOutcome) {
      end()
      resolve(outcome)
    },
    /** Records that a request that could write it is about to be sent. */
    sending() {
      uncertain += 1
    },
    /** Records that this request didn't write it. */
    notWritten() {
      uncertain -= 1
    },
    giveUp,
  }
}
