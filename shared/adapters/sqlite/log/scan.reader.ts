import type { Position } from '../../../event-sourcing/event.ts'
import { type LogScan, MAX_SCANNED, type Scanned } from '../../../event-sourcing/ports/log-scan.ts'
import type { Statements } from '../file/statements.ts'
import { headOf } from './log-reads.ts'
import { AUTHORED_EVENT, type AuthoredEventColumns } from './log-tables.ts'

/** Posted to the main thread. */
export interface ScanAnswer extends Omit<Scanned, 'events'> {
  readonly rows: readonly AuthoredEventColumns[]
}

/** How many positions are read before other reads get a turn. */
const POSITIONS_PER_SLICE = 500

/** Finds events in the log, in one snapshot. */
export function* scanLog(statements: Statements, scan: LogScan): Generator<undefined, ScanAnswer> {
  const { of, by = null, since = Number.MIN_SAFE_INTEGER, until = Number.MAX_SAFE_INTEGER } = scan
  const versions = { first: ' AND version = 1', later: ' AND version > 1', all: '' }
  // By position: the stream index, which the `+` rules out, would need a sort.
  const isSought = of.map(({ which }) => `(+category = ?${versions[which]})`).join(' OR ')
  const categories = of.map(({ category }) => category)
  const find = statements.asArrays<AuthoredEventColumns>(
    `SELECT ${AUTHORED_EVENT} FROM events WHERE position > ? AND position <= ? AND (${isSought})
     AND by = ifnull(?, by) AND at BETWEEN ? AND ? ORDER BY position LIMIT ?`,
  )
  const head = headOf(statements)
  const end = Math.min(head, scan.after + MAX_SCANNED)
  const rows: AuthoredEventColumns[] = []
  let through = scan.after
  while (through < end && rows.length < scan.limit) {
    const upTo = Math.min(through + POSITIONS_PER_SLICE, end) as Position
    rows.push(...find.all(through, upTo, ...categories, by, since, until, scan.limit - rows.length))
    through = rows.length < scan.limit ? upTo : (rows.at(-1)?.[0] ?? upTo)
    yield
  }
  return { rows, through, isLast: through >= head }
}
