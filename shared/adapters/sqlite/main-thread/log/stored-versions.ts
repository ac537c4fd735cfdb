import type { StoredVersionsPage } from '../../../../event-sourcing/ports/inspection.ts'
import type { StoredVersion } from '../../../../event-sourcing/stored-versions.ts'
import { amountColumns, toDecimal, toScaled } from '../../any-thread/ledger/amounts.ts'
import { decodeDate } from '../../any-thread/ledger/encoded-version.ts'
import { FOREVER, type LedgerTables, labelsTable, ledgerTables } from '../../any-thread/ledger/ledger-tables.ts'
import type { Statements } from '../../any-thread/statements.ts'
import type { ViewTables } from '../../any-thread/view-tables.ts'

export const NO_VERSIONS: StoredVersionsPage = { versions: [], damage: [], next: undefined }

/** How many versions are read at a time. */
const VERSIONS = 2_000
/** How many texts of ledgers are cached. */
const TEXTS = 10_000

/** Reads what views store of versions, page by page. */
export function createVersionReader(statements: Statements) {
  const textOf = createTexts(statements)
  return ({ shape, rows }: ViewTables, from: string | undefined): StoredVersionsPage => {
    const { versions, idOrder } = shape
    if (versions === undefined) return NO_VERSIONS
    if (versions.kind === 'ledger') {
      const after = from === undefined ? [Number.MIN_SAFE_INTEGER, 0] : JSON.parse(from)
      return readEntries(statements, ledgerTables(rows, versions), after, textOf)
    }
    const first = [idOrder === 'numeric' ? Number.MIN_SAFE_INTEGER : '', 0, 0, 0]
    return readLabels(statements, rows, from === undefined ? first : JSON.parse(from))
  }
}

interface LabelRow {
  readonly id: string | number
  readonly era: number
  readonly number: number
  readonly version: number
  readonly since: number
  readonly label: string
}

function readLabels(statements: Statements, rows: string, after: readonly (string | number)[]) {
  const key = 'id, era, number, version'
  const sql = `SELECT * FROM ${labelsTable(rows)} WHERE (${key}) > (?, ?, ?, ?) ORDER BY ${key} LIMIT ${VERSIONS}`
  const found = statements.of(sql).all(...after) as unknown as LabelRow[]
  const versions = found.map(({ id, version, since, label, era, number }) => {
    return { id: String(id), version, values: [since, label, era, number] }
  })
  const last = found.length < VERSIONS ? undefined : found.at(-1)
  return { versions, damage: [], next: last && JSON.stringify([last.id, last.era, last.number, last.version]) }
}

function readEntries(statements: Statements, tables: LedgerTables, after: readonly number[], textOf: TextOf) {
  const { versions, codes, shape } = tables
  const key = 'id, version'
  const next = `SELECT at FROM ${versions} AS next WHERE next.id = one.id AND next.version > one.version
    ORDER BY version LIMIT 1`
  const sql = `SELECT *, ifnull((${next}), ${FOREVER}) AS next FROM ${versions} AS one
    WHERE (${key}) > (?, ?) ORDER BY ${key} LIMIT ${VERSIONS}`
  const found = statements.of<Record<string, number>>(sql).all(...after)
  const last = found.length < VERSIONS ? undefined : found.at(-1)
  const versionOf = (row: Record<string, number>): StoredVersion => {
    const number = (column: string): number => row[column] as number
    const amount = (name: string): string => {
      const [units, rest] = amountColumns(name).map((column) => BigInt(number(column)))
      return toDecimal(toScaled(units ?? 0n, rest ?? 0n))
    }
    const date = decodeDate(number('month'), number('day'))
    const texts = shape.texts.map((name) => textOf(codes, number(name)))
    return {
      id: String(row.id),
      version: number('version'),
      values: [number('at'), ...texts, date, ...shape.amounts.map(amount)],
    }
  }
  const damage = found
    .filter(({ until, next }) => until !== next)
    .map(({ id, version, until, next }) => `version ${version} of row ${id} ends at ${until}, not ${next}`)
  return { versions: found.map(versionOf), damage, next: last && JSON.stringify([last.id, last.version]) }
}

type TextOf = (codes: string, code: number) => string

/** The texts behind codes, which are those of a table. */
function createTexts(statements: Statements): TextOf {
  const known = new Map<number, string>()
  let table = ''
  return (codes, code) => {
    if (codes !== table || known.size > TEXTS) known.clear()
    table = codes
    let text = known.get(code)
    if (text === undefined) {
      const found = statements.of(`SELECT text FROM ${codes} WHERE code = ?`).get(code)
      text = String(found?.text ?? `(no text has the code ${code})`)
      known.set(code, text)
    }
    return text
  }
}
