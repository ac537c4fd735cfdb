import type { Statements } from '../file/statements.ts'
import { amountColumns, encodeAmount } from './amounts.ts'

/** The parts of a ledger's definition that its tables depend on. */
export interface LedgerShape {
  readonly kind: 'ledger'
  readonly texts: readonly string[]
  readonly amounts: readonly string[]
  /** The amounts that are added up. */
  readonly summed: readonly string[]
}

/** The parts of a view's shape that the tables of its versions depend on. */
export interface VersionsShape {
  readonly idOrder: 'numeric' | 'text'
  /** What is stored for every version of a row. */
  readonly versions: LedgerShape | { readonly kind: 'labels' } | undefined
}

/** The end of the interval of a row's latest version. SQLite stores it in zero bytes, a time in six. */
export const OPEN = 0

/**
 * The tables of a view's ledger:
 *
 * - versions: one row for each version of a row of the view, which held from `at` until before `until`. `changed` is
 *   the last version up to this one in which what counts differs from the version before.
 * - codes: the numbers that stand for texts.
 * - late: one row for each version that was written after one with a later time. Only such versions change sums of
 *   moments before the latest time.
 *
 * Two indexes have all columns that sums need: by month, and by the first text. One is by time.
 */
export interface LedgerTables {
  readonly shape: LedgerShape
  readonly versions: string
  readonly codes: string
  readonly late: string
  readonly byMonth: string
  readonly byText: string
  readonly byTime: string
  /** What a version counts for: a code for each text, the month as 202601, the day, and each amount's columns. */
  readonly counted: readonly string[]
}

/** A ledger within a snapshot of the file. */
export interface OpenLedger {
  readonly statements: Statements
  readonly tables: LedgerTables
}

/** The names of the tables that belong to `rows`, and of their columns. */
export function ledgerTables(rows: string, shape: LedgerShape): LedgerTables {
  return {
    shape,
    versions: `${rows}_versions`,
    codes: `${rows}_codes`,
    late: `${rows}_versions_late`,
    byMonth: `${rows}_versions_by_month`,
    byText: `${rows}_versions_by_text`,
    byTime: `${rows}_versions_by_time`,
    counted: [...shape.texts, 'month', 'day', ...shape.amounts.flatMap(amountColumns)],
  }
}

/** The name of the table of labels that belongs to `rows`. */
export const labelsTable = (rows: string): string => `${rows}_labels`

/** A script that creates the tables for every version of a view's rows, without indexes; empty for most views. */
export function versionTablesSql(rows: string, { versions, idOrder }: VersionsShape): string {
  if (versions === undefined) return ''
  if (versions.kind === 'labels') {
    const idType = idOrder === 'numeric' ? 'INTEGER' : 'TEXT'
    return `
      CREATE TABLE ${labelsTable(rows)} (
        id ${idType} NOT NULL, era INTEGER NOT NULL, number INTEGER NOT NULL, version INTEGER NOT NULL,
        since INTEGER NOT NULL, label TEXT NOT NULL, PRIMARY KEY (id, era, number, version)
      ) STRICT, WITHOUT ROWID;`
  }
  const tables = ledgerTables(rows, versions)
  const columns = ['id', 'version', 'at', ...tables.counted, 'changed', 'until']
  return `
    CREATE TABLE ${tables.versions} (
      ${columns.map((name) => `${name} INTEGER NOT NULL`).join(', ')}, PRIMARY KEY (id, version)
    ) STRICT, WITHOUT ROWID;
    CREATE TABLE ${tables.codes} (code INTEGER PRIMARY KEY, text TEXT NOT NULL UNIQUE) STRICT;
    CREATE TABLE ${tables.late} (number INTEGER PRIMARY KEY) STRICT;`
}

/** The indexes of these tables: a name, and the table and columns. */
export function versionIndexes(rows: string, { versions: shape }: VersionsShape): [name: string, on: string][] {
  if (shape?.kind !== 'ledger') return []
  const { versions, byMonth, byText, byTime } = ledgerTables(rows, shape)
  const covered = ['at', 'until', ...shape.summed.flatMap(amountColumns), 'day'].join(', ')
  return [
    [byMonth, `${versions} (month, ${shape.texts.toReversed().join(', ')}, ${covered})`],
    [byText, `${versions} (${shape.texts.join(', ')}, month, ${covered})`],
    [byTime, `${versions} (at)`],
  ]
}

/** Everything that determines the contents of these tables: a change of any of it rebuilds them. */
export const VERSIONS_LAYOUT = [
  { OPEN },
  encodeAmount,
  amountColumns,
  ledgerTables,
  labelsTable,
  versionTablesSql,
  versionIndexes,
]

/** The tables of a view's ledger. Throws an Error when it has none. */
export function ledgerTablesOf(view: {
  readonly rows: string
  readonly shape: VersionsShape & { readonly name: string }
}): LedgerTables {
  const { rows, shape } = view
  if (shape.versions?.kind !== 'ledger') throw new Error(`view ${shape.name} has no ledger`)
  return ledgerTables(rows, shape.versions)
}

/** The time of the latest version, or 0. */
export function latestIn(statements: Statements, { versions }: LedgerTables): number {
  return Number(statements.of(`SELECT max(at) AS at FROM ${versions}`).get()?.at ?? 0)
}
