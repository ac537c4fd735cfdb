import type { Statements } from '../statements.ts'
import { BASE, LIMBS, toLimbs } from './limbs.ts'

/** The parts of a ledger's definition that its tables depend on. */
export interface LedgerShape {
  readonly kind: 'ledger'
  readonly texts: readonly string[]
  readonly amounts: readonly string[]
}

/** The same of a view's labels. */
export interface LabelsShape {
  readonly kind: 'labels'
}

/** What of a view's shape its versions depend on. */
export interface VersionsShape {
  readonly idOrder: 'numeric' | 'text'
  /** What is stored of every version of a row. */
  readonly versions: LedgerShape | LabelsShape | undefined
}

/** How many entries a block has. */
export const BLOCK_SIZE = 2048

/**
 * The tables of a view's ledger:
 *
 * - entries: the latest entries, in the order in which they were written, one for each version of a row.
 * - blocks: all earlier entries, BLOCK_SIZE of them in each, with the lowest and the highest time in it.
 * - columns: the blocks' entries, column by column, as arrays of numbers: a million take 0.1 s to add up. The key is
 *   block × COLUMNS_A_BLOCK + column. An array of zeros is empty.
 * - codes: the number that stands for a text.
 */
export interface LedgerTables {
  readonly entries: string
  readonly blocks: string
  readonly columns: string
  readonly codes: string
  /** The numbers of an entry: `id`, `at` and `version`, a code for each text, the date, three limbs for each amount. */
  readonly columnNames: readonly string[]
}

/** At most so many columns. */
export const COLUMNS_A_BLOCK = 64

/** Columns whose numbers exceed 32 bits. */
export const isWide = (column: string): boolean => column === 'id' || column === 'at'

/** The columns of an amount's limbs, lowest first. */
export function limbColumns(amount: string): string[] {
  return Array.from({ length: LIMBS }, (_, limb) => `${amount}_${limb}`)
}

/** The names of the tables beside `rows`, and of their columns. */
export function ledgerTables(rows: string, { texts, amounts }: LedgerShape): LedgerTables {
  return {
    entries: `${rows}_entries`,
    blocks: `${rows}_blocks`,
    columns: `${rows}_columns`,
    codes: `${rows}_codes`,
    columnNames: ['id', 'at', 'version', ...texts, 'date', ...amounts.flatMap(limbColumns)],
  }
}

/** The name of the table of labels beside `rows`. */
export const labelsTable = (rows: string): string => `${rows}_labels`

/** What stores every version of a view's rows, as a script; empty for most views. */
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
  const { entries, blocks, columns, codes, columnNames } = ledgerTables(rows, versions)
  return `
    CREATE TABLE ${entries} (
      number INTEGER PRIMARY KEY, ${columnNames.map((name) => `${name} INTEGER NOT NULL`).join(', ')}
    ) STRICT;
    CREATE TABLE ${blocks} (block INTEGER PRIMARY KEY, lowest INTEGER NOT NULL, highest INTEGER NOT NULL) STRICT;
    CREATE TABLE ${columns} (key INTEGER PRIMARY KEY, numbers BLOB NOT NULL) STRICT;
    CREATE TABLE ${codes} (code INTEGER PRIMARY KEY, text TEXT NOT NULL UNIQUE) STRICT;`
}

/** Everything that decides what is in these tables; whoever changes any of it rebuilds them. */
export const VERSIONS_LAYOUT = [
  { BLOCK_SIZE, COLUMNS_A_BLOCK, BASE, LIMBS },
  ...[isWide, toLimbs, limbColumns, ledgerTables, labelsTable, versionTablesSql],
]

/** The tables of `versionTablesSql`. */
export function versionTableNames(rows: string, { versions }: VersionsShape): string[] {
  if (versions === undefined) return []
  if (versions.kind === 'labels') return [labelsTable(rows)]
  const { entries, blocks, columns, codes } = ledgerTables(rows, versions)
  return [entries, blocks, columns, codes]
}

/** The time of the latest entry, or 0. Throws an Error when the view has no ledger. */
export function latestIn(
  statements: Statements,
  { rows, shape }: { readonly rows: string; readonly shape: VersionsShape & { readonly name: string } },
): number {
  if (shape.versions?.kind !== 'ledger') throw new Error(`view ${shape.name} has no ledger`)
  const { entries, blocks } = ledgerTables(rows, shape.versions)
  const sql = `SELECT max((SELECT ifnull(max(at), 0) FROM ${entries}), (SELECT ifnull(max(highest), 0) FROM ${blocks})) AS at`
  return Number(statements.of(sql).get()?.at)
}
