import { isDeepStrictEqual } from 'node:util'
import type { ViewDifference } from '../../../event-sourcing/ports/inspection.ts'
import type { Statements } from '../file/statements.ts'
import type { ViewTables } from '../views/view-tables.ts'
import { type Contents, contentsOf, type Value, type Values } from './view-contents.main.ts'

/** How a view's tables in the database `main` differ from those in `copy`, of the same connection. */
export function* viewDifferences(statements: Statements, main: ViewTables, copy: ViewTables) {
  const folded = contentsOf('copy', 'folded', copy)
  for (const [index, stored] of contentsOf('main', 'stored', main).entries()) {
    yield* tableDifferences(statements, stored, folded[index] as Contents)
  }
}

/** Scans each table and finds the row in the other one by its key: memory doesn't grow with the tables. */
function* tableDifferences(statements: Statements, stored: Contents, folded: Contents): Generator<ViewDifference> {
  const { of, key, isPartial = false, shown = (values) => values } = stored
  const names = Object.keys(stored.values)
  const isSame = key.map((column, index) => `${column} = ${folded.key[index]}`).join(' AND ')
  const [isMissing, is, shouldBe] = [`${key[0]} IS NULL`, valuesOf(stored), valuesOf(folded)]
  const changed = `SELECT ${isMissing}, ${is}, ${shouldBe}, ${folded.key} FROM ${folded.from}
    LEFT JOIN ${stored.from} ON ${isSame} WHERE ${isMissing} OR (${is}) IS NOT (${shouldBe})`
  for (const [isMissing, ...found] of statements.asArrays<Value[]>(changed).iterate()) {
    const place = { of, ...toPlace(found.slice(2 * names.length)) }
    const [is, shouldBe] = [0, names.length].map((first) =>
      shown(Object.fromEntries(names.map((name, at) => [name, found[first + at] ?? null]))),
    ) as [Values, Values]
    const compared = Object.keys(is).map((name) => ({ name, is: is[name], shouldBe: shouldBe[name] }))
    const differing = isMissing === 1 ? [] : compared.filter(differs)
    if (differing.length > 0) yield { ...place, message: inWords(of, differing) }
    if (isMissing === 1 && !isPartial) yield { ...place, isMissing: true, message: 'it is missing' }
  }
  if (isPartial) return
  const extra = `SELECT ${key} FROM ${stored.from} WHERE NOT EXISTS (SELECT 1 FROM ${folded.from} WHERE ${isSame})`
  for (const found of statements.asArrays<Value[]>(extra).iterate()) {
    yield { of, ...toPlace(found), message: 'it is not in the log' }
  }
}

const valuesOf = ({ values }: Contents): string => Object.values(values).join(', ')

const toPlace = ([id, version]: readonly Value[]) => ({
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
  if (is === shouldBe || name !== 'state') return is !== shouldBe
  return !isDeepStrictEqual(JSON.parse(String(is)), JSON.parse(String(shouldBe)))
}

/** What differs in a row or a version. */
function inWords(of: ViewDifference['of'], differing: readonly Compared[]): string {
  if (of === 'ledger' || of === 'labels') {
    return differing
      .map(({ name, is, shouldBe }) => `${name} is ${shown(name, is)}, but ${shown(name, shouldBe)} in the log`)
      .join('; ')
  }
  const { is, shouldBe } = differing.find(({ name }) => name === 'version') ?? {}
  if (is === shouldBe) return 'it differs from what the log folds to'
  return `it is at ${Number(is) > Number(shouldBe) ? 'a later' : 'an earlier'} version than the log`
}

function shown(name: string, value: Value | undefined): string {
  const isTime = ['at', 'until', 'since'].includes(name) && !Number.isNaN(new Date(value ?? '').getTime())
  return isTime ? new Date(value ?? '').toISOString() : String(value)
}
