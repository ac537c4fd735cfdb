import { StoreUnavailable } from '../../../event-sourcing/ports/event-store.ts'
import { READONLY_DBMOVED } from './file-identity.ts'

/** A SQLite error in a form that can be sent between threads. */
export interface Failure {
  readonly message: string
  /** SQLite's extended result code (https://sqlite.org/rescode.html); absent when the error isn't SQLite's. */
  readonly code?: number
}

const READONLY = 8
const CORRUPT = 11
const FULL = 13
const NOTADB = 26
const IOERR_READ = 10 | (1 << 8)
const IOERR_SHORT_READ = 10 | (2 << 8)
const IOERR_WRITE = 10 | (3 << 8)
const IOERR_DATA = 10 | (32 << 8)
const IOERR_CORRUPTFS = 10 | (33 << 8)
/**
 * Errors that mean that the file's contents can't be read back, now or later. A failed write is not among them: it says
 * nothing about the file, and may mean a full disk.
 */
const DAMAGE = new Set([IOERR_READ, IOERR_SHORT_READ, IOERR_DATA, IOERR_CORRUPTFS, READONLY_DBMOVED])
/** Errors that mean that the engine can't be used now: also PERM, BUSY, LOCKED, NOMEM, IOERR, CANTOPEN and NOLFS. */
const ENGINE_FAILURES = new Set([3, 5, 6, 7, READONLY, 10, CORRUPT, FULL, 14, 22, NOTADB])

/** Converts an error to a form that can be posted to another thread. */
export function toFailure(error: unknown): Failure {
  const message = error instanceof Error ? error.message : String(error)
  const code = error instanceof Error && 'errcode' in error ? Number(error.errcode) : undefined
  return code === undefined ? { message } : { message, code }
}

/** Whether the engine itself failed (disk full, read-only, I/O), rather than the statement. */
export function isEngineFailure({ code }: Failure): boolean {
  return code !== undefined && ENGINE_FAILURES.has(code & 0xff)
}

/**
 * Whether a COMMIT that failed this way has certainly left nothing that a recovery could find. In WAL mode the commit
 * frame is written last: if the write itself failed (disk full, read-only, write error), the frame is incomplete. If
 * only the fsync after it failed, the frame may be in the file, and recovery may find it if the process dies before the
 * next commit overwrites it.
 */
export function nothingWasWritten({ code }: Failure): boolean {
  return code !== undefined && (code === IOERR_WRITE || [READONLY, FULL].includes(code & 0xff))
}

/** Whether one of the port's errors means that the file is damaged or missing, so that waiting won't help. */
export function isDamage(error: unknown): boolean {
  const code = codeOf(error)
  return code !== undefined && (DAMAGE.has(code) || [CORRUPT, NOTADB].includes(code & 0xff))
}

/** Whether one of the port's errors means that there was too little space, even if there is again by now. */
export const isFullDisk = (error: unknown): boolean => codeOf(error) === FULL

/** SQLite's code behind one of the port's errors. */
function codeOf(error: unknown): number | undefined {
  if (!(error instanceof StoreUnavailable)) return undefined
  const { cause } = error
  return cause instanceof Error ? toFailure(cause).code : (cause as Failure | undefined)?.code
}

/** Runs a read; throws StoreUnavailable instead of SQLite's error when the engine can't be used, or the file is closed. */
export function reading<T>(read: () => T): T {
  try {
    return read()
  } catch (error) {
    const failure = toFailure(error)
    const isClosed = (error as NodeJS.ErrnoException).code === 'ERR_INVALID_STATE'
    if (isClosed || isEngineFailure(failure)) throw unavailable(failure, error)
    throw error
  }
}

/** The port's error for a failure in another thread. */
export function portError(failure: Failure): Error {
  return isEngineFailure(failure) ? unavailable(failure) : new Error(failure.message)
}

/** The port's error for an engine that can't be used. */
function unavailable(failure: Failure, cause?: unknown): StoreUnavailable {
  return new StoreUnavailable(`SQLite can't be used now: ${failure.message}`, { cause: cause ?? failure })
}
