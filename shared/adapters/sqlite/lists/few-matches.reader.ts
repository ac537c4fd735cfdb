import type { Statements } from '../file/statements.ts'
import { indexOf, type ViewTables } from '../views/view-tables.ts'
import { type Condition, type TableQuery, toSql } from './list-query.ts'

/** Up to this many rows are checked one by one: 8 ms, with their texts. */
const FEW_ROWS = 5_000
/** Up to this many entries of the search index are read: 1 ms for a word of three characters, 11 ms for fifteen. */
const FEW_ENTRIES = 10_000

/** The shortest word that a trigram index can find. */
const SHORTEST_INDEXED_WORD = 3
/** FTS5 ends a text at the first of these characters, and reads the last two as the second. */
const MISREAD = ['\0', '\uFFFD', '\uFFFE', '\uFFFF']
/** How many words of a search are tried in the index, and how many trigrams of each. */
const [MAX_TRIED, MAX_TRIGRAMS] = [4, 16]

/** The rows that an index finds by one condition or word, in SQL. */
interface Candidates {
  readonly from: string
  /** Joins their texts, as `t`, if they aren't there yet. */
  readonly join: string
  readonly where: string
  readonly values: Condition['values']
  /** How many are few. */
  readonly few: number
}

/**
 * The keys of all matching rows, highest first, if an index shows that few rows meet one of the conditions or have one
 * of the words; otherwise undefined. Yields after each index that is tried.
 */
export function* fewMatches(
  statements: Statements,
  tables: ViewTables,
  { conditions, words }: TableQuery,
): Generator<undefined, BigInt64Array | undefined> {
  const matching = toSql(conditions, words)
  // The longest word first: fewer rows have it.
  const tried = words.filter(isIndexed).slice(0, MAX_TRIED)
  const indexes = [...conditions.map((one) => meeting(one, tables)), ...tried.map((word) => having(word, tables))]
  for (const { from, join, where, values, few } of indexes) {
    const count = statements.of(`SELECT count(*) AS n FROM (SELECT 1 FROM ${from} WHERE ${where} LIMIT ?)`)
    // 17 ms for 10,000 related ids.
    const areFew = Number(count.get(...values, few + 1)?.n) <= few
    const select = `SELECT t.key FROM ${from} ${join} WHERE ${where} AND ${matching.where}`
    const find = statements.asBigIntArrays<[key: bigint]>(select)
    const found = areFew && find.all(...values, ...matching.values)
    yield
    if (found)
      return BigInt64Array.from(found, ([key]) => key)
        .sort()
        .reverse()
  }
  return undefined
}

function meeting(condition: Condition, tables: ViewTables): Candidates {
  const from = `${tables.texts} AS t INDEXED BY ${indexOf(tables, condition.column)}`
  return { from, join: '', ...toSql([condition]), few: FEW_ROWS }
}

const isIndexed = (word: string): boolean =>
  [...word].length >= SHORTEST_INDEXED_WORD && !MISREAD.some((character) => word.includes(character))

function having(word: string, { texts, search }: ViewTables): Candidates {
  const join = `CROSS JOIN ${texts} AS t NOT INDEXED ON t.key = s.rowid`
  const values = [allTrigramsOf(word)]
  return { from: `${search} AS s`, join, where: `s.${search} MATCH ?`, values, few: FEW_ENTRIES }
}

/**
 * The query for texts with all trigrams of a word, or with some of them if it is long. Not for the word as a phrase: to
 * find out that it isn't in a text where its trigrams occur hundreds of times takes FTS5 a millisecond for each text.
 */
function allTrigramsOf(word: string): string {
  const characters = [...word]
  const last = characters.length - SHORTEST_INDEXED_WORD
  const step = Math.max(1, last / (MAX_TRIGRAMS - 1))
  const trigrams = new Set<string>()
  for (let at = 0; at <= last; at += step) {
    trigrams.add(characters.slice(Math.floor(at), Math.floor(at) + SHORTEST_INDEXED_WORD).join(''))
  }
  // As strings of FTS5, within which only the quotation mark has a special meaning.
  return [...trigrams].map((trigram) => `"${trigram.replaceAll('"', '""')}"`).join(' AND ')
}
