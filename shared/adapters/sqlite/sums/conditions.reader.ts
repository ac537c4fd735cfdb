import type { LedgerFilter } from '../../../event-sourcing/ports/ledger.ts'
import { encodeDate } from './encoded-version.ts'
import { OPEN, type OpenLedger } from './ledger-tables.ts'

/** A condition on versions, in SQL, with the values of its parameters. */
export interface Condition {
  readonly sql: string
  readonly values: readonly number[]
}

export const EVERYTHING: Condition = { sql: '1', values: [] }

/** The versions that hold at a moment; `prefix` before each column. */
export const holdingAt = (moment: number, prefix = ''): Condition => ({
  sql: `${prefix}at <= ? AND ${prefix}until NOT BETWEEN ${OPEN + 1} AND ?`,
  values: [moment, moment],
})

/**
 * The versions that match a filter. Keeps SQLite from using an index for it: `slicesFor` chooses one. Throws an Error
 * for a text that the ledger doesn't have.
 */
export function matching(ledger: OpenLedger, { where, from, to }: LedgerFilter, prefix = ''): Condition {
  const conditions: string[] = ['1']
  const values: number[] = []
  for (const [name, text] of Object.entries(where)) {
    if (!ledger.tables.shape.texts.includes(name)) throw new Error(`the ledger has no text ${name}`)
    if (text === undefined) continue
    conditions.push(`+${prefix}${name} = ?`)
    values.push(codeOf(ledger, text))
  }
  for (const [date, operator] of [
    [from, '>='],
    [to, '<='],
  ] as const) {
    if (date === undefined) continue
    conditions.push(`(+${prefix}month, ${prefix}day) ${operator} (?, ?)`)
    values.push(...encodeDate(date))
  }
  return { sql: conditions.join(' AND '), values }
}

/** The code of a text; 0, which no text has, if no version has it. */
export function codeOf({ statements, tables }: OpenLedger, text: string): number {
  return Number(statements.of(`SELECT code FROM ${tables.codes} WHERE text = ?`).get(text)?.code ?? 0)
}
