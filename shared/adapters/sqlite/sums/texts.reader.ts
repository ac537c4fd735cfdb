import type { LedgerEntry, LinesQuery } from '../../../event-sourcing/ports/ledger.ts'
import { generationOf, rowsName } from '../views/stored-views.ts'
import { amountColumns, toDecimal, toScaled } from './amounts.ts'
import { decodeDate } from './encoded-version.ts'
import { labelsTable, type OpenLedger } from './ledger-tables.ts'

/** What a code stands for. */
interface CodedText {
  readonly code: number
  readonly text: string
  /** The label as of the query's moment, if the query asks for labels of this text; null: there is none. */
  readonly label: string | null
  /** By label, null last, then by text, in the order of code points. */
  readonly rank: number
}

/** Reads what codes of the text `name` stand for. */
export function readTexts(
  { statements, tables }: OpenLedger,
  name: string,
  { labelled, asOf }: Pick<LinesQuery, 'labelled' | 'asOf'>,
  codes: readonly number[],
): ReadonlyMap<number, CodedText> {
  const generation = labelled?.text === name ? generationOf(statements, labelled.view) : undefined
  const labels = labelsTable(rowsName(labelled?.view ?? '', generation ?? 0))
  const label = `SELECT label FROM ${labels} WHERE id = text AND since <= ? ORDER BY era DESC, number DESC, version DESC`
  const isLabelled = generation !== undefined
  const sql = `SELECT code, text, ${isLabelled ? `(${label} LIMIT 1)` : 'NULL'} AS label FROM ${tables.codes}
    WHERE code IN (SELECT value FROM json_each(?)) ORDER BY label IS NULL, label, text`
  const found = statements.of<Omit<CodedText, 'rank'>>(sql)
  const values = [...(isLabelled ? [asOf] : []), JSON.stringify(codes)]
  return new Map(found.all(...values).map((one, rank) => [one.code, { ...one, rank }]))
}

/** Returns a function that decodes what a version counts for; column names begin with `prefix`. */
export function entryDecoder({ statements, tables }: OpenLedger) {
  const { texts, amounts } = tables.shape
  const select = statements.of(`SELECT text FROM ${tables.codes} WHERE code = ?`)
  return (row: Readonly<Record<string, number>>, prefix = ''): LedgerEntry => {
    const number = (column: string): number => row[prefix + column] as number
    const decimal = (amount: string): string => {
      const [units, rest] = amountColumns(amount).map((column) => BigInt(number(column)))
      return toDecimal(toScaled(units ?? 0n, rest ?? 0n))
    }
    return {
      texts: Object.fromEntries(texts.map((name) => [name, String(select.get(number(name))?.text)])),
      date: decodeDate(number('month'), number('day')),
      amounts: Object.fromEntries(amounts.map((name) => [name, decimal(name)])),
    }
  }
}
