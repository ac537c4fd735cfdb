import { CodedError } from '../../../shared/calls/errors.ts'
import { StoreUnavailable } from '../../../shared/event-sourcing/ports/event-store.ts'
import type { EarlierWrite } from '../../../shared/kinds/record-methods.ts'
import { ProblemError } from '../../problem.ts'
import type { RowIdentity, ValidRow } from './csv-import.ts'

/** A row that may be written; its fields are undefined where an earlier request with the same key wrote it, as `id`. */
export type RowToWrite<New> = ValidRow<New | undefined> & { readonly id?: number | undefined }

/** Rows written concurrently, so that they share group commits. */
const MAX_CONCURRENT = 250

/**
 * Writes rows. The first one is written alone: it carries the request's own commit id, so nothing is written if the
 * Idempotency-Key belongs to another request. After a failure no further row is started; the same request sent again
 * resumes there. Throws idempotency_key_reused, outcome_unknown, unavailable if nothing was written, invalid_api_key with
 * the number of rows written, or a service's refusal as validation_failed with that number and the line of its row.
 */
export async function writeRows<New>(
  rows: readonly RowToWrite<New>[],
  write: (row: RowIdentity, fields: New) => Promise<{ readonly replayed: boolean }>,
): Promise<{ rows: number; created: number; replayed: number }> {
  let [created, replayed, next] = [0, 0, 0]
  let failure: { readonly error: unknown; readonly line: number } | undefined

  async function writeNext(): Promise<void> {
    const row = rows[next++]
    if (row === undefined) return
    if (row.fields === undefined) {
      replayed += 1
      return
    }
    try {
      // The first row is written first: if this request created it, none of the others exist.
      const isNew = row.number > 1 && replayed === 0
      const outcome = await write({ number: row.number, isNew }, row.fields)
      if (outcome.replayed) replayed += 1
      else created += 1
    } catch (error) {
      // If the outcome of a row is unknown, so is the number of rows written.
      if (failure === undefined || mayResume(error)) failure = { error, line: row.line }
    }
  }

  async function writeRest(): Promise<void> {
    while (next < rows.length && failure === undefined) await writeNext()
  }

  await writeNext()
  await Promise.all(Array.from({ length: MAX_CONCURRENT }, writeRest))
  if (failure !== undefined) throw toFailure(failure.error, failure.line, created + replayed)
  return { rows: rows.length, created, replayed }
}

/** The one place where a service's refusal of a row becomes what is wrong with its line. */
function toFailure(error: unknown, line: number, written: number): unknown {
  if (mayResume(error)) {
    return written === 0 && !(error instanceof CodedError && error.code === 'outcome_unknown')
      ? error
      : new ProblemError('outcome_unknown', { detail: RESUME, cause: error })
  }
  // The key is no longer valid.
  if (error instanceof ProblemError && written > 0) {
    return new ProblemError(error.code, { detail: `${error.message} ${THEY_STAY}`, written, cause: error })
  }
  if (!(error instanceof CodedError)) return error
  const errors = error.violations.map((violation) => ({ in: 'body' as const, line, ...violation }))
  const code = errors.length > 0 ? 'validation_failed' : error.code
  if (code !== 'validation_failed' && code !== 'period_closed') return error
  const detail = written === 0 ? error.message : `${error.message} ${THEY_STAY}`
  return new ProblemError(code, { detail, errors, written, cause: error })
}

const mayResume = (error: unknown): boolean =>
  error instanceof StoreUnavailable ||
  (error instanceof CodedError && ['unavailable', 'outcome_unknown'].includes(error.code))

const RESUME =
  'Some rows may have been written, the rest were not. To resume, send the same file again with the same Idempotency-Key.'

const THEY_STAY =
  'The rows written so far stay. Don’t change the file: remove the cause, and send it again with the same Idempotency-Key.'

const ROWS_PER_SEARCH = 1_000

/**
 * What writing rows would be answered with, and which records earlier requests wrote; writes nothing. Throws
 * idempotency_key_reused.
 */
export async function tryRows(
  rows: readonly RowToWrite<unknown>[],
  findEarlier: (rows: readonly RowToWrite<unknown>[]) => Promise<readonly EarlierWrite[]>,
): Promise<{ rows: number; created: number; replayed: number; ids: readonly (string | number)[] }> {
  const pending = rows.filter(({ fields }) => fields !== undefined)
  let replayed = rows.length - pending.length
  const ids = rows.flatMap(({ id }): (string | number)[] => (id === undefined ? [] : [id]))
  // If any written row is known, all of them are.
  if (replayed > 0) return { rows: rows.length, created: pending.length, replayed, ids }
  for (let next = 0, count = 1; next < pending.length; next += count, count = ROWS_PER_SEARCH) {
    const earlier = await findEarlier(pending.slice(next, next + count))
    if (earlier.some(({ keyReused }) => keyReused)) throw new ProblemError('idempotency_key_reused')
    replayed += earlier.filter((row) => row.replayed).length
    ids.push(...earlier.flatMap(({ id }) => (id === undefined ? [] : [id])))
    // The first row is written before all others: without it, no row of this file has been written.
    if (replayed === 0) break
  }
  return { rows: rows.length, created: rows.length - replayed, replayed, ids }
}
