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

/**
 * The keys of all matching rows, highest first, if an index shows that few rows meet one of the conditions or have one
 * of the words; otherwise undefined. Yields after each statement.
 */
export function* fewMatches(
  statements: Statements,
  tables: ViewTables,
  query: TableQuery,
): Generator<undefined, BigInt64Array | undefined> {
  const { conditions, words } = query
  for (const condition of conditions) {
    const found = byCondition(statements, tables, query, condition)
    yield
    if (found) return BigInt64Array.from(found)
  }
  // The longest word first: fewer rows have it.
  for (const word of words.filter(isIndexed).slice(0, MAX_TRIED)) {
    const found = byIndex(statements, tables, query, word)
    yield
    if (found) return BigInt64Array.from(found)
  }
  return undefined
}

/** The matching rows among those that meet this condition; undefined when too many do. */
function byCondition(
  statements: Statements,
  tables: ViewTables,
  { conditions, words }: TableQuery,
  condition: Condition,
): bigint[] | undefined {
  const from = `${tables.texts} AS t INDEXED BY ${indexOf(tables, condition.column)}`
  const only = toSql([condition])
  const count = statements.of(`SELECT count(*) AS n FROM (SELECT 1 FROM ${from} WHERE ${only.where} LIMIT ?)`)
  // 17 ms for 10,000 related ids.
  if (Number(count.get(...only.values, FEW_ROWS + 1)?.n) > FEW_ROWS) return undefined
  const { where, values } = toSql(conditions, words)
  return keysOf(statements, `SELECT t.key FROM ${from} WHERE ${where} ORDER BY t.key DESC`, values)
}

const isIndexed = (word: string): boolean =>
  [...word].length >= SHORTEST_INDEXED_WORD && !MISREAD.some((character) => word.includes(character))

/** The matching rows among those with the trigrams of this word; undefined when too many have them. */
function byIndex(
  statements: Statements,
  { texts, search }: ViewTables,
  { conditions, words }: TableQuery,
  word: string,
): bigint[] | undefined {
  const trigrams = allTrigramsOf(word)
  const count = statements.of(`SELECT count(*) AS n FROM (SELECT 1 FROM ${search} WHERE ${search} MATCH ? LIMIT ?)`)
  if (Number(count.get(trigrams, FEW_ENTRIES + 1)?.n) > FEW_ENTRIES) return undefined
  const { where, values } = toSql(conditions, words)
  // In ascending order, as the index is stored: descending takes ten times as long.
  const found = `SELECT t.key FROM ${search} AS s CROSS JOIN ${texts} AS t NOT INDEXED ON t.key = s.rowid
    WHERE s.${search} MATCH ? AND ${where} ORDER BY s.rowid`
  return keysOf(statements, found, [trigrams, ...values]).reverse()
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

function keysOf(statements: Statements, sql: string, values: readonly (string | number)[]): bigint[] {
  return statements
    .asBigIntArrays<[key: bigint]>(sql)
    .all(...values)
    .map(([key]) => key)
}
