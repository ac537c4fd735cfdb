import { fewPassing, type TableQuery, toSql } from '../any-thread/list-query.ts'
import type { Statements } from '../any-thread/statements.ts'
import { indexOf, type ViewTables } from '../any-thread/view-tables.ts'
import type { Matches } from './matches.ts'

/** How the rows of a list are located. */
export interface ListPlan {
  /** Whether all rows are taken in one go: so few pass one of the conditions. */
  readonly isFew: boolean
  /** Finds every match, at a cost for each row of the range whatever matches. */
  readonly scan: Matches
  /** Whether the term is one that the search index can find: it is asked first. */
  readonly isIndexed: boolean
}

/** So many rows are taken through the index of their condition, with their texts in 8 ms. */
const FEW_ROWS = 5_000

/** A trigram index can't find less. */
const SHORTEST_INDEXED_TERM = 3
/** FTS5 and GLOB end a text at the first, and read the last two as the second. */
const MISREAD = ['\0', '\uFFFD', '\uFFFE', '\uFFFF']

/**
 * The plan is fixed by the query, but for the one thing that it counts: whether few rows pass one of the conditions. At
 * a million contracts, the list of those edited in the last hour takes 1 ms because of it, 190 ms by a scan.
 */
export function planList(statements: Statements, tables: ViewTables, { conditions, term }: TableQuery): ListPlan {
  const few = fewPassing(statements, tables, conditions, FEW_ROWS)
  const isFew = few !== undefined
  const source = `${tables.rows} AS r${few ? ` INDEXED BY ${indexOf(tables, few.column)}` : walkedBy(tables, conditions)}`
  const passing = toSql(conditions, 'r')
  if (term === '' || tables.textColumns.length === 0) {
    const matching = term === '' ? passing : { where: '0', values: [] }
    return { isFew, scan: { from: source, key: 'r.key', ...matching }, isIndexed: false }
  }
  const isMisread = MISREAD.some((character) => term.includes(character))
  const isShort = [...term].length < SHORTEST_INDEXED_TERM
  const text = hasTerm(tables, term, isShort && !isMisread)
  const scan =
    conditions.length === 0
      ? { from: `${tables.texts} AS t`, key: 't.key', ...text }
      : {
          from: `${source} CROSS JOIN ${tables.texts} AS t ON t.key = r.key`,
          key: 'r.key',
          where: `${passing.where} AND ${text.where}`,
          values: [...passing.values, ...text.values],
        }
  return { isFew, scan, isIndexed: !isShort && !isMisread && !isFew }
}

/** Where many rows pass the conditions, they are walked in the order of their keys. */
function walkedBy(tables: ViewTables, conditions: TableQuery['conditions']): string {
  const [only] = conditions
  // The index of an exact filter is in the order of keys by itself.
  if (conditions.length === 1 && only?.test === '= ?') return ` INDEXED BY ${indexOf(tables, only.column)}`
  return conditions.length > 0 && tables.rangeColumns.length > 0 ? ` INDEXED BY ${tables.places}` : ''
}

/** Characters that mean something to GLOB: escaped, they make it take three times as long. */
const GLOB_CHARACTERS = /[*?[]/

/**
 * GLOB finds a term of one or two characters in a million texts in 145 ms, instr in 185; longer terms are the other way
 * round.
 */
function hasTerm({ textColumns }: ViewTables, term: string, isShort: boolean): Pick<Matches, 'where' | 'values'> {
  const byGlob = isShort && !GLOB_CHARACTERS.test(term)
  const test = (column: string): string => (byGlob ? `t.${column} GLOB ?` : `instr(t.${column}, ?) > 0`)
  return {
    where: `(${textColumns.map(test).join(' OR ')})`,
    values: textColumns.map(() => (byGlob ? `*${term}*` : term)),
  }
}
