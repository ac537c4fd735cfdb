import type { LedgerFilter } from '../../../event-sourcing/ports/ledger.ts'
import { type Condition, codeOf, EVERYTHING } from './conditions.reader.ts'
import { encodeDate } from './encoded-version.ts'
import type { OpenLedger } from './ledger-tables.ts'

/** The part of a ledger that one statement reads. */
export interface Slice {
  /** The index to read it through. */
  readonly index: string
  readonly condition: Condition
}

/** How long reading a range of texts should take, in milliseconds. */
const MIN_DURATION = 2
const MAX_DURATION = 6

/**
 * Everything in a ledger that may match a filter, in slices that take some milliseconds each: by the first text if
 * versions are filtered or grouped by it, otherwise by month. Each slice must be read before the next is requested.
 */
export function* slicesFor(
  ledger: OpenLedger,
  { groupBy, ...filter }: LedgerFilter & { readonly groupBy: readonly string[] },
): Generator<Slice, void, undefined> {
  const [first = ''] = ledger.tables.shape.texts
  const { from, to } = filter
  const ofText = withFirstText(ledger, filter)
  if (ofText !== undefined) yield ofText
  else if (!groupBy.includes(first) || groupBy.includes('month') || (from && to)) yield* months(ledger, filter)
  else yield* textRanges(ledger, first)
}

/** One month of what may match a filter. */
export function sliceOfMonth(ledger: OpenLedger, filter: LedgerFilter, month: number): Slice {
  const all = withFirstText(ledger, filter) ?? { index: ledger.tables.byMonth, condition: EVERYTHING }
  const { sql, values } = all.condition
  return { ...all, condition: { sql: `${sql} AND month = ?`, values: [...values, month] } }
}

/** Everything with the filter's value of the first text; undefined when it has none. */
function withFirstText(ledger: OpenLedger, { where }: LedgerFilter): Slice | undefined {
  const { byText, shape } = ledger.tables
  const [column = ''] = shape.texts
  const text = where[column]
  if (text === undefined) return undefined
  return { index: byText, condition: { sql: `${column} = ?`, values: [codeOf(ledger, text)] } }
}

function* months({ statements, tables }: OpenLedger, { from, to }: LedgerFilter): Generator<Slice> {
  const { versions, byMonth } = tables
  const next = statements.of(`SELECT min(month) AS month FROM ${versions} INDEXED BY ${byMonth} WHERE month > ?`)
  const last = to === undefined ? Infinity : encodeDate(to)[0]
  let month = from === undefined ? 0 : encodeDate(from)[0] - 1
  for (;;) {
    const found = next.get(month)?.month ?? null
    if (found === null || Number(found) > last) return
    month = Number(found)
    yield { index: byMonth, condition: { sql: 'month = ?', values: [month] } }
  }
}

/** Ranges of a text's codes, which widen or narrow depending on how long the previous one took. */
function* textRanges({ statements, tables }: OpenLedger, text: string): Generator<Slice> {
  const { versions, byText } = tables
  const sql = `SELECT max(${text}) AS last FROM ${versions} INDEXED BY ${byText}`
  const last = Number(statements.of(sql).get()?.last ?? 0)
  let width = 16
  for (let reached = 0; reached < last; ) {
    const begun = performance.now()
    yield {
      index: byText,
      condition: { sql: `${text} > ? AND ${text} <= ?`, values: [reached, reached + width] },
    }
    reached += width
    const took = performance.now() - begun
    if (took < MIN_DURATION) width *= 2
    else if (took > MAX_DURATION) width = Math.ceil(width / 2)
  }
}
