import { isDeepStrictEqual } from 'node:util'
import type { ViewDifference } from '../../../../event-sourcing/ports/inspection.ts'
import { labelsTable } from '../../any-thread/ledger/ledger-tables.ts'
import type { Statements } from '../../any-thread/statements.ts'
import { PLACE_BITS, type ViewTables } from '../../any-thread/view-tables.ts'

/** What a table says, but for what depends on the order in which it was written. */
interface Contents {
  readonly of: ViewDifference['of']
  /** The table in a database, under another name in the statement. */
  readonly from: string
  /** The columns of a record's id and, unless the table has one row for each record, of its version. */
  readonly key: readonly string[]
  /** Name → SQL. */
  readonly values: Readonly<Record<string, string>>
}

/** The contents of a view's tables in one of a connection's databases. `as`: what its tables are called in statements. */
function contentsOf(database: string, as: string, tables: ViewTables): Contents[] {
  const { rows, texts, shape, filterColumns, rangeColumns } = tables
  const columns = ['version', 'at', ...filterColumns, ...rangeColumns, 'state']
  const row: Contents = {
    of: 'row',
    from: `${database}.${rows} AS ${as}`,
    key: [`${as}.id`],
    values: {
      ...Object.fromEntries(columns.map((name) => [name, `${as}.${name}`])),
      createdAt: `${as}.key >> ${PLACE_BITS}`,
      text: `(SELECT text FROM ${database}.${texts} WHERE key = ${as}.key)`,
    },
  }
  if (shape.versions?.kind !== 'labels') return [row]
  const names = ['since', 'label', 'era', 'number']
  const labels: Contents = {
    of: 'labels',
    from: `${database}.${labelsTable(rows)} AS ${as}`,
    key: [`${as}.id`, `${as}.version`],
    values: Object.fromEntries(names.map((name) => [name, `${as}.${name}`])),
  }
  return [row, labels]
}

/**
 * How a view's tables in the database `main` differ from those in `copy`, of the same connection. Two scans for each,
 * which find each row in the other table by its key: memory doesn't grow with the tables.
 */
export function* viewDifferences(statements: Statements, main: ViewTables, copy: ViewTables) {
  const folded = contentsOf('copy', 'folded', copy)
  for (const [index, stored] of contentsOf('main', 'stored', main).entries()) {
    yield* tableDifferences(statements, stored, folded[index] as Contents)
  }
}

type Value = string | number | null

function* tableDifferences(statements: Statements, stored: Contents, folded: Contents): Generator<ViewDifference> {
  const { of, key } = stored
  const names = Object.keys(stored.values)
  const isSame = key.map((column, index) => `${column} = ${folded.key[index]}`).join(' AND ')
  const [isMissing, is, shouldBe] = [`${key[0]} IS NULL`, valuesOf(stored), valuesOf(folded)]
  const changed = `SELECT ${isMissing}, ${is}, ${shouldBe}, ${folded.key} FROM ${folded.from}
    LEFT JOIN ${stored.from} ON ${isSame} WHERE ${isMissing} OR (${is}) IS NOT (${shouldBe})`
  for (const [isMissing, ...found] of statements.asArrays<Value[]>(changed).iterate()) {
    const [id, version] = found.slice(2 * names.length)
    const key = toKey(id, version)
    if (isMissing === 1) yield { of, ...key, isMissing: true, message: 'it is missing' }
    const compared = names.map((name, at) => ({ name, is: found[at], shouldBe: found[names.length + at] }))
    const differing = compared.filter(differs)
    if (isMissing === 1 || differing.length === 0) continue
    yield { of, ...key, message: of === 'row' ? rowInWords(differing) : versionInWords(differing) }
  }
  const extra = `SELECT ${key} FROM ${stored.from} WHERE NOT EXISTS (SELECT 1 FROM ${folded.from} WHERE ${isSame})`
  for (const [id, version] of statements.asArrays<Value[]>(extra).iterate()) {
    yield { of, ...toKey(id, version), message: 'it is not in the log' }
  }
}

const valuesOf = ({ values }: Contents): string => Object.values(values).join(', ')

const toKey = (id: Value | undefined, version: Value | undefined) => ({
  id: String(id),
  ...(version !== undefined && { version: Number(version) }),
})

interface Compared {
  readonly name: string
  readonly is: Value | undefined
  readonly shouldBe: Value | undefined
}

/** The order of members in a state doesn't matter. */
function differs({ name, is, shouldBe }: Compared): boolean {
  if (is === shouldBe) return false
  return name !== 'state' || !isDeepStrictEqual(JSON.parse(String(is)), JSON.parse(String(shouldBe)))
}

function rowInWords(differing: readonly Compared[]): string {
  const { is, shouldBe } = differing.find(({ name }) => name === 'version') ?? {}
  if (is === shouldBe) return 'it differs from what the log folds to'
  return `it is at ${Number(is) > Number(shouldBe) ? 'a later' : 'an earlier'} version than the log`
}

/** What differs in a version, in words. */
export function versionInWords(differing: readonly Compared[]): string {
  const each = differing.map(({ name, is, shouldBe }) => {
    return `${name} is ${shown(name, is)}, but ${shown(name, shouldBe)} in the log`
  })
  return each.join('; ')
}

function shown(name: string, value: Value | undefined): string {
  const isTime = (name === 'at' || name === 'since') && !Number.isNaN(new Date(value ?? '').getTime())
  return isTime ? new Date(value ?? '').toISOString() : String(value)
}
