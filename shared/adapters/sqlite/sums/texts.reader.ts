import type { LedgerEntry, SumsQuery } from '../../../event-sourcing/ports/ledger.ts'
import { generationOf, rowsName } from '../views/stored-views.ts'
import { amountColumns, toDecimal, toScaled } from './amounts.ts'
import { decodeDate } from './encoded-version.ts'
import { labelsTable, type OpenLedger } from './ledger-tables.ts'

export type Texts = ReturnType<typeof createTexts>

/** The texts behind codes, and their labels as of a query's moment; each is read once. */
export function createTexts(
  { statements, tables }: OpenLedger,
  { labelled, asOf = 0 }: Partial<Pick<SumsQuery, 'labelled' | 'asOf'>>,
) {
  const select = statements.of(`SELECT text FROM ${tables.codes} WHERE code = ?`)
  const text = memoizedByCode((code) => String(select.get(code)?.text))
  const generation = labelled && generationOf(statements, labelled.view)
  const label = memoizedByCode((code): string | null => {
    if (labelled === undefined || generation === undefined) return null
    const sql = `SELECT label FROM ${labelsTable(rowsName(labelled.view, generation))} WHERE id = ? AND since <= ?
                 ORDER BY era DESC, number DESC, version DESC LIMIT 1`
    const found = statements.of(sql).get(text(code), asOf)
    return found === undefined ? null : String(found.label)
  })
  return {
    text,
    label,
    /** What a code is sorted by. */
    sortTexts: (name: string, code: number): readonly (string | null)[] =>
      name === labelled?.text ? [label(code), text(code)] : [text(code)],
  }
}

/** Returns a function that decodes what a version counts for; column names begin with `prefix`. */
export function entryDecoder(ledger: OpenLedger) {
  const { texts, amounts } = ledger.tables.shape
  const { text } = createTexts(ledger, {})
  return (row: Readonly<Record<string, number>>, prefix = ''): LedgerEntry => {
    const number = (column: string): number => row[prefix + column] as number
    const decimal = (amount: string): string => {
      const [units, rest] = amountColumns(amount).map((column) => BigInt(number(column)))
      return toDecimal(toScaled(units ?? 0n, rest ?? 0n))
    }
    return {
      texts: Object.fromEntries(texts.map((name) => [name, text(number(name))])),
      date: decodeDate(number('month'), number('day')),
      amounts: Object.fromEntries(amounts.map((name) => [name, decimal(name)])),
    }
  }
}

/** Orders by code points, null last. */
export function compareTexts(one: readonly (string | null)[], other: readonly (string | null)[]): number {
  for (const [n, text] of one.entries()) {
    const otherText = other[n] ?? null
    if (text === otherText) continue
    if (text === null) return 1
    if (otherText === null) return -1
    // UTF-8 sorts by code points, UTF-16 does not.
    const order = Buffer.compare(Buffer.from(text), Buffer.from(otherText))
    if (order !== 0) return order
  }
  return 0
}

function memoizedByCode<Value>(read: (code: number) => Value): (code: number) => Value {
  const known = new Map<number, Value>()
  return (code) => {
    if (!known.has(code)) known.set(code, read(code))
    return known.get(code) as Value
  }
}
