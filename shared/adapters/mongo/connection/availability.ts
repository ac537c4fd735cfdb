import {
  MongoClientClosedError,
  MongoError,
  MongoErrorLabel,
  MongoNetworkError,
  MongoNotConnectedError,
  MongoServerClosedError,
  MongoServerError,
  MongoServerSelectionError,
  MongoTopologyClosedError,
} from 'mongodb'
import { withTimeout } from '../../../async/with-timeout.ts'
import { StoreUnavailable } from '../../../event-sourcing/ports/event-store.ts'
import { AUTHENTICATION_FAILED, mongoProblem, UNAUTHORIZED } from './problem.ts'

/** How long a call may wait for the engine in total before it fails, in milliseconds. */
export const CALL_TIMEOUT = 4_000

/** The deadline of a call that begins now, in milliseconds since the epoch. */
export const newDeadline = (): number => Date.now() + CALL_TIMEOUT

/** The server's code for a value that a unique index already has. */
export const DUPLICATE_KEY = 11000

/** The server's codes for "not now" (https://www.mongodb.com/docs/manual/reference/error-codes/). */
const UNAVAILABLE_CODES = new Set([
  6, // HostUnreachable
  7, // HostNotFound
  50, // MaxTimeMSExpired
  64, // WriteConcernFailed
  79, // UnknownReplWriteConcern
  89, // NetworkTimeout
  91, // ShutdownInProgress
  100, // UnsatisfiableWriteConcern
  134, // ReadConcernMajorityNotAvailableYet
  189, // PrimarySteppedDown
  262, // ExceededTimeLimit
  9001, // SocketException
  10058, // LegacyNotPrimary
  10107, // NotWritablePrimary
  11600, // InterruptedAtShutdown
  11602, // InterruptedDueToReplStateChange
  UNAUTHORIZED,
  AUTHENTICATION_FAILED,
  13435, // NotPrimaryNoSecondaryOk
  13436, // NotPrimaryOrSecondary
  14031, // OutOfDiskSpace
])

/** Whether an error means that the engine can't be used now, rather than that the request was wrong. */
export function isUnavailable(error: unknown): boolean {
  if (error instanceof MongoServerError) {
    return UNAVAILABLE_CODES.has(Number(error.code)) || error.hasErrorLabel(MongoErrorLabel.RetryableWriteError)
  }
  return (
    error instanceof MongoNetworkError ||
    // Closing the client aborts requests in progress: they may have reached a server.
    error instanceof MongoClientClosedError ||
    error instanceof StoreUnavailable ||
    neverReachedServer(error)
  )
}

/** Whether a request that failed with this error was never sent to a server. */
export function neverReachedServer(error: unknown): boolean {
  return (
    error instanceof MongoServerSelectionError ||
    error instanceof MongoTopologyClosedError ||
    error instanceof MongoServerClosedError ||
    error instanceof MongoNotConnectedError ||
    (error instanceof MongoError && error.name === 'MongoPoolClearedError')
  )
}

/** Whether a write failed because a unique value already exists: another writer was first. */
export function isDuplicateKey(error: unknown): boolean {
  return error instanceof MongoServerError && error.code === DUPLICATE_KEY
}

/**
 * Converts driver errors that mean unavailability to StoreUnavailable, and throws it when there is no answer by the
 * deadline (milliseconds since the epoch), which all steps of one call share.
 */
export async function orUnavailable<Result>(work: Promise<Result>, deadline = newDeadline()): Promise<Result> {
  const timeout = () => new StoreUnavailable(`MongoDB did not answer within ${CALL_TIMEOUT} ms`)
  try {
    return await withTimeout(Math.max(0, deadline - Date.now()), work, timeout)
  } catch (error) {
    if (!isUnavailable(error) || error instanceof StoreUnavailable) throw error
    const problem = mongoProblem(error)
    if (problem === undefined) throw new StoreUnavailable('MongoDB is unavailable', { cause: error })
    // Without its cause: the server's text about missing rights contains the whole command.
    throw new StoreUnavailable(`MongoDB can’t be used: ${problem}`)
  }
}
