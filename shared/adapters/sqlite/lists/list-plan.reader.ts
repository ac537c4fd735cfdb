import type { Statements } from '../file/statements.ts'
import { indexOf, type ViewTables } from '../views/view-tables.ts'
import { type Condition, mostSelective, type TableQuery, toSql } from './list-query.ts'
import { isRare, type Matches } from './matches.reader.ts'

/** How the rows of a list are found. */
export interface ListPlan {
  /** Whether all rows are read at once, because few meet one of the conditions. */
  readonly isFew: boolean
  /** Finds every match, at a cost per row of the range, no matter how many match. */
  readonly scan: Matches
  /** The word that is first tried in the search index; choosing it may take some milliseconds. */
  readonly indexed: () => string | undefined
}

/** Up to this many rows are read through their condition's index: 8 ms, with their texts. */
const FEW_ROWS = 5_000

/** The shortest word that a trigram index can find. */
const SHORTEST_INDEXED_WORD = 3
/** FTS5 ends a text at the first of these characters, and reads the last two as the second. */
const MISREAD = ['\0', '\uFFFD', '\uFFFE', '\uFFFF']
/** How many words of a search are counted in the index: 1 to 5 ms for a word that many rows have. */
const MAX_COUNTED = 4

/**
 * The query determines the plan, except for two things that are counted: whether few rows meet one of the conditions,
 * and which of several words few rows have. With a million contracts, the former makes the list of those edited in the
 * last hour take 1 ms; a scan takes 90 ms.
 */
export function planList(statements: Statements, tables: ViewTables, { conditions, words }: TableQuery): ListPlan {
  const selective = mostSelective(statements, tables, conditions, FEW_ROWS)
  const isFew = selective !== undefined
  const by = selective ?? exactFilter(conditions, words)
  const from = `${tables.texts} AS t ${by ? `INDEXED BY ${indexOf(tables, by.column)}` : 'NOT INDEXED'}`
  const scan = { from, ...toSql(conditions, words) }
  return { isFew, scan, indexed: () => (isFew ? undefined : indexedWord(statements, tables, words)) }
}

/** The only condition, if its index has exactly the rows that are wanted, in key order. */
function exactFilter([only, ...others]: TableQuery['conditions'], words: readonly string[]): Condition | undefined {
  return only?.test === '= ?' && others.length === 0 && words.length === 0 ? only : undefined
}

/**
 * The only word, if the index can find it; of several, the first (longest) that few rows have: the others are then
 * checked in the texts of those rows. If many rows have each word, a scan is faster than the index.
 */
function indexedWord(statements: Statements, tables: ViewTables, words: readonly string[]): string | undefined {
  const findable = words.filter(
    (word) => [...word].length >= SHORTEST_INDEXED_WORD && !MISREAD.some((character) => word.includes(character)),
  )
  if (words.length === 1) return findable[0]
  return findable.slice(0, MAX_COUNTED).find((word) => isRare(statements, tables, word, FEW_ROWS))
}
