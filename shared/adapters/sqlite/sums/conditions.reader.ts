import type { LedgerFilter } from '../../../event-sourcing/ports/ledger.ts'
import { encodeDate } from './encoded-version.ts'
import { OPEN, type OpenLedger } from './ledger-tables.ts'

/** A condition on versions, in SQL, with the values of its parameters. */
export interface Condition {
  readonly sql: string
  readonly values: readonly number[]
}

const EVERYTHING: Condition = { sql: '1', values: [] }

/** All of the conditions, of which there is at least one. */
export const allOf = (...conditions: readonly Condition[]): Condition => ({
  sql: conditions.map(({ sql }) => sql).join(' AND '),
  values: conditions.flatMap(({ values }) => values),
})

/** The versions that hold at a moment; `prefix` before each column. */
export const holdingAt = (moment: number, prefix = ''): Condition => ({
  sql: `${prefix}at <= ? AND ${prefix}until NOT BETWEEN ${OPEN + 1} AND ?`,
  values: [moment, moment],
})

/** The versions that match a filter. Throws an Error for a text that the ledger doesn't have. */
export function matching(ledger: OpenLedger, { where, from, to }: LedgerFilter, prefix = ''): Condition {
  const conditions = [EVERYTHING]
  for (const [name, text] of Object.entries(where)) {
    if (!ledger.tables.shape.texts.includes(name)) throw new Error(`the ledger has no text ${name}`)
    if (text !== undefined) conditions.push({ sql: `${prefix}${name} = ?`, values: [codeOf(ledger, text)] })
  }
  const day = `(${prefix}month, ${prefix}day)`
  if (from !== undefined) conditions.push({ sql: `${day} >= (?, ?)`, values: encodeDate(from) })
  if (to !== undefined) conditions.push({ sql: `${day} <= (?, ?)`, values: encodeDate(to) })
  return allOf(...conditions)
}

/** The code of a text; 0, which no text has, if no version has it. */
function codeOf({ statements, tables }: OpenLedger, text: string): number {
  return Number(statements.of(`SELECT code FROM ${tables.codes} WHERE text = ?`).get(text)?.code ?? 0)
}

/** The part of a ledger that one statement reads. */
export interface Slice {
  /** The index to read it through. */
  readonly index: string
  readonly condition: Condition
}

/**
 * Everything in a ledger that may match a filter: in the order of the first text if versions are filtered or grouped by
 * it, otherwise month by month, since few groupings are in the order of an index, and sorting all versions would take
 * 100 MB.
 */
export function slicesFor(
  ledger: OpenLedger,
  { groupBy, ...filter }: LedgerFilter & { readonly groupBy: readonly string[] },
): readonly Slice[] {
  const { byText, shape } = ledger.tables
  const [first = ''] = shape.texts
  const { where, from, to } = filter
  const isInOrder = groupBy.includes(first) && !groupBy.includes('month') && !(from && to)
  if (isInOrder || where[first] !== undefined) return [{ index: byText, condition: EVERYTHING }]
  return monthsIn(ledger, filter).map((month) => sliceOfMonth(ledger, filter, month))
}

/** One month of what may match a filter. */
export function sliceOfMonth({ tables }: OpenLedger, { where }: LedgerFilter, month: number): Slice {
  const { byMonth, byText, shape } = tables
  const index = where[shape.texts[0] ?? ''] === undefined ? byMonth : byText
  return { index, condition: { sql: 'month = ?', values: [month] } }
}

/** The months that may have what matches a filter, in order. */
export function monthsIn({ statements, tables }: OpenLedger, { from, to }: LedgerFilter): number[] {
  const { versions, byMonth } = tables
  const next = statements.of(`SELECT min(month) AS month FROM ${versions} INDEXED BY ${byMonth} WHERE month > ?`)
  const last = to === undefined ? Infinity : encodeDate(to)[0]
  const found: number[] = []
  let month = from === undefined ? 0 : encodeDate(from)[0] - 1
  for (;;) {
    month = Number(next.get(month)?.month ?? Infinity)
    if (month > last || month === Infinity) return found
    found.push(month)
  }
}
