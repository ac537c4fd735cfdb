import { isDeepStrictEqual } from 'node:util'
import type { ViewDifference } from '../../../event-sourcing/ports/inspection.ts'
import type { Statements } from '../file/statements.ts'
import { entriesOf } from '../lists/slices.ts'
import { amountColumns, toDecimal, toScaled } from '../sums/amounts.ts'
import { decodeDate } from '../sums/encoded-version.ts'
import { type LedgerShape, labelsTable, ledgerTables, OPEN } from '../sums/ledger-tables.ts'
import { LOWEST_KEY, PLACE_BITS, type ViewTables } from '../views/view-tables.ts'

type Value = string | number | null
/** Values by name. */
type Values = Readonly<Record<string, Value>>

/** The contents of a table that follow from the log alone, whatever the order and the transactions of its writes. */
interface Contents {
  readonly of: ViewDifference['of']
  /** The table in a database, under another name in the statement. */
  readonly from: string
  /** The columns of a record's id and, unless the table has only one row for each record, of its version. */
  readonly key: readonly string[]
  /** SQL by name. */
  readonly values: Readonly<Record<string, string>>
  /** Converts values to what people are shown; by default they are shown as they are. */
  readonly shown?: (values: Values) => Values
  /** Which of the rows exist depends on more than the log. */
  readonly isPartial?: boolean
}

/** Finds how a view's tables in the database `main` differ from those in `copy`, both attached to one connection. */
export function* viewDifferences(
  statements: Statements,
  main: ViewTables,
  copy: ViewTables,
): Generator<ViewDifference> {
  const folded = contentsOf('copy', 'folded', copy)
  for (const [index, stored] of contentsOf('main', 'stored', main).entries()) {
    yield* tableDifferences(statements, stored, folded[index] as Contents)
  }
  if (!isCounted(statements, main)) yield { of: 'row', message: 'lists don’t count exactly its rows: rebuild it' }
}

/** Whether the counts cover every key and are those of the rows, and every text belongs to a row. */
function isCounted(statements: Statements, tables: ViewTables): boolean {
  const { rows, texts } = tables
  const between = statements.of(`SELECT count(*) AS n FROM ${rows} WHERE key BETWEEN ? AND ?`)
  const extra = statements.of(`SELECT (SELECT count(*) FROM ${texts}) > (SELECT count(*) FROM ${rows}) AS isExtra`)
  const entries = entriesOf(statements, tables)
  const areRight = entries.every(({ lower, upper, rows }) => between.get(lower, upper)?.n === rows)
  return areRight && entries.at(-1)?.lower === LOWEST_KEY && extra.get()?.isExtra === 0
}

/** Scans each table and finds its rows in the other by key, so memory doesn't grow with the tables. */
function* tableDifferences(statements: Statements, stored: Contents, folded: Contents): Generator<ViewDifference> {
  const { of, key, isPartial = false, shown = (values) => values } = stored
  const names = Object.keys(stored.values)
  const isSame = key.map((column, index) => `${column} = ${folded.key[index]}`).join(' AND ')
  const [isMissing, is, shouldBe] = [`${key[0]} IS NULL`, valuesOf(stored), valuesOf(folded)]
  const changed = `SELECT ${isMissing}, ${is}, ${shouldBe}, ${folded.key} FROM ${folded.from}
    LEFT JOIN ${stored.from} ON ${isSame} WHERE ${isMissing} OR (${is}) IS NOT (${shouldBe})`
  for (const [isMissing, ...found] of statements.asArrays<Value[]>(changed).iterate()) {
    const subject = { of, ...toSubject(found.slice(2 * names.length)) }
    const [is, shouldBe] = [0, names.length].map((first) =>
      shown(Object.fromEntries(names.map((name, at) => [name, found[first + at] ?? null]))),
    ) as [Values, Values]
    const compared = Object.keys(is).map((name) => ({ name, is: is[name], shouldBe: shouldBe[name] }))
    const differing = isMissing === 1 ? [] : compared.filter(differs)
    if (differing.length > 0) yield { ...subject, message: describe(of, differing) }
    if (isMissing === 1 && !isPartial) yield { ...subject, isMissing: true, message: 'it is missing' }
  }
  if (isPartial) return
  const extra = `SELECT ${key} FROM ${stored.from} WHERE NOT EXISTS (SELECT 1 FROM ${folded.from} WHERE ${isSame})`
  for (const found of statements.asArrays<Value[]>(extra).iterate()) {
    yield { of, ...toSubject(found), message: 'it is not in the log' }
  }
}

/**
 * The contents of a view's tables in one of a connection's databases; `as`: a table's alias in the statement. Leaves
 * out counts, which are checked against the rows, search indexes and the number of late versions.
 */
function contentsOf(database: string, as: string, tables: ViewTables): Contents[] {
  const { rows, texts, snapshots, shape } = tables
  const from = (table: string): string => `${database}.${table} AS ${as}`
  const columns = (...names: string[]) => Object.fromEntries(names.map((name) => [name, `${as}.${name}`]))
  const listed = [...tables.columns, 'text'].map((column) => {
    return [column, `(SELECT ${column} FROM ${database}.${texts} WHERE key = ${as}.key)`] as const
  })
  const row = {
    ...columns('version', 'at', 'state'),
    createdAt: `${as}.key >> ${PLACE_BITS}`,
    ...Object.fromEntries(listed),
  }
  const ofVersion = [`${as}.id`, `${as}.version`]
  const contents: Contents[] = [
    { of: 'row', from: from(rows), key: [`${as}.id`], values: row },
    { of: 'snapshots', from: from(snapshots), key: ofVersion, values: columns('at', 'state'), isPartial: true },
  ]
  if (shape.versions?.kind === 'ledger') {
    const { versions, codes, counted } = ledgerTables(rows, shape.versions)
    // A text's code depends on what else was written.
    const textOf = (code: string): string =>
      `ifnull((SELECT text FROM ${database}.${codes} WHERE code = ${code}), '(no text has the code ' || ${code} || ')')`
    const texts = shape.versions.texts.map((name) => [name, textOf(`${as}.${name}`)])
    const values = { ...columns('at', 'until', 'changed', ...counted), ...Object.fromEntries(texts) }
    contents.push({ of: 'ledger', from: from(versions), key: ofVersion, values, shown: showEntry(shape.versions) })
  }
  if (shape.versions?.kind === 'labels') {
    const values = columns('since', 'label', 'era', 'number')
    contents.push({ of: 'labels', from: from(labelsTable(rows)), key: ofVersion, values })
  }
  return contents
}

/** Shows the dates and amounts of a ledger's entries as they were given. */
function showEntry({ amounts }: LedgerShape) {
  return ({ month, day, until, ...values }: Values): Values => {
    const shown: Record<string, Value> = { ...values, until: until === OPEN ? 'open' : (until ?? null) }
    shown.date = decodeDate(Number(month), Number(day))
    for (const amount of amounts) {
      const [units, rest] = amountColumns(amount)
      shown[units] = toDecimal(toScaled(BigInt(Number(values[units])), BigInt(Number(values[rest]))))
      delete shown[rest]
    }
    return shown
  }
}

const valuesOf = ({ values }: Contents): string => Object.values(values).join(', ')

const toSubject = ([id, version]: readonly Value[]) => ({
  id: String(id),
  ...(version !== undefined && { version: Number(version) }),
})

interface Compared {
  readonly name: string
  readonly is: Value | undefined
  readonly shouldBe: Value | undefined
}

/** The order of a state's properties doesn't matter. */
function differs({ name, is, shouldBe }: Compared): boolean {
  if (is === shouldBe || name !== 'state') return is !== shouldBe
  try {
    return !isDeepStrictEqual(JSON.parse(String(is)), JSON.parse(String(shouldBe)))
  } catch {
    // What is stored can't be read at all.
    return true
  }
}

/** Describes what differs in a row or a version. */
function describe(of: ViewDifference['of'], differing: readonly Compared[]): string {
  if (of === 'ledger' || of === 'labels') {
    return differing
      .map(({ name, is, shouldBe }) => `${name} is ${format(name, is)}, but ${format(name, shouldBe)} in the log`)
      .join('; ')
  }
  const { is, shouldBe } = differing.find(({ name }) => name === 'version') ?? {}
  if (is === shouldBe) return 'it differs from what the log folds to'
  return `it is at ${Number(is) > Number(shouldBe) ? 'a later' : 'an earlier'} version than the log`
}

function format(name: string, value: Value | undefined): string {
  const isTime = ['at', 'until', 'since'].includes(name) && !Number.isNaN(new Date(value ?? '').getTime())
  return isTime ? new Date(value ?? '').toISOString() : String(value)
}
