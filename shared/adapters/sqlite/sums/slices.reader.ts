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

/**
 * Everything in a ledger that may match a filter: by the first text if versions are filtered or grouped by it, otherwise
 * month by month, since few groupings are in the order of an index, and sorting all versions would take 100 MB.
 */
export function slicesFor(
  ledger: OpenLedger,
  { groupBy, ...filter }: LedgerFilter & { readonly groupBy: readonly string[] },
): readonly Slice[] {
  const [first = ''] = ledger.tables.shape.texts
  const { from, to } = filter
  const ofText = withFirstText(ledger, filter)
  if (ofText !== undefined) return [ofText]
  if (!groupBy.includes(first) || groupBy.includes('month') || (from && to)) return months(ledger, filter)
  return [{ index: ledger.tables.byText, condition: EVERYTHING }]
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

function months({ statements, tables }: OpenLedger, { from, to }: LedgerFilter): Slice[] {
  const { versions, byMonth } = tables
  const next = statements.of(`SELECT min(month) AS month FROM ${versions} INDEXED BY ${byMonth} WHERE month > ?`)
  const last = to === undefined ? Infinity : encodeDate(to)[0]
  const found: Slice[] = []
  let month = from === undefined ? 0 : encodeDate(from)[0] - 1
  for (;;) {
    month = Number(next.get(month)?.month ?? Infinity)
    if (month > last || month === Infinity) return found
    found.push({ index: byMonth, condition: { sql: 'month = ?', values: [month] } })
  }
}
