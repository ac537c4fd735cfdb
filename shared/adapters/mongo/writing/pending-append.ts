import { BSON, ObjectId } from 'mongodb'
import type { Commit } from '../../../event-sourcing/ports/event-store.ts'
import { StoreUnavailable } from '../../../event-sourcing/ports/event-store.ts'
import { type CommitDocument, toDocument } from '../log/commit-document.ts'

/** What became of a commit in the log, before its rows are in the views. */
export type LogOutcome =
  | { readonly type: 'written'; readonly document: CommitDocument }
  /** The log has this commitId already, from another call. */
  | { readonly type: 'found'; readonly document: CommitDocument }
  | { readonly type: 'wrong-version' }
  | { readonly type: 'unknown'; readonly cause: unknown }

/** A call of append that waits for its outcome. */
export type PendingAppend = ReturnType<typeof createPendingAppend>

/** @param deadline in milliseconds since the epoch */
export function createPendingAppend(commit: Commit, deadline: number) {
  const document = toDocument(commit, new ObjectId())
  const { promise, resolve, reject } = Promise.withResolvers<LogOutcome>()
  /** Requests that may have written it: under way, or failed without an answer. */
  let uncertain = 0
  let settled = false
  return {
    commit,
    document,
    bytes: BSON.calculateObjectSize(document, { ignoreUndefined: true }),
    /** When it is answered whatever is known by then, in milliseconds since the epoch. */
    deadline,
    outcome: promise,
    isSettled: () => settled,
    /** Whether a request that could have written it is under way, or ended without an answer. */
    mayBeWritten: () => uncertain > 0,
    settle(outcome: LogOutcome) {
      settled = true
      resolve(outcome)
    },
    /** A request that could write it goes out. */
    sending() {
      uncertain += 1
    },
    /** That request is known not to have written it. */
    notWritten() {
      uncertain -= 1
    },
    /** Answers now: unknown when it may have been written, else throws StoreUnavailable to the caller. */
    giveUp(cause: unknown) {
      settled = true
      if (uncertain > 0) resolve({ type: 'unknown', cause })
      else reject(new StoreUnavailable('MongoDB is away, nothing was written', { cause }))
    },
  }
}
