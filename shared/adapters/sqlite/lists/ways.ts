import type { Statements } from '../statements.ts'
import { indexOf, type ViewTables } from '../views/view-tables.ts'
import { type Condition, fewestRows, type TableQuery, toSql } from './list-query.ts'
import { countIn, type Matches } from './matches.ts'
import { countRowsWith, type PackedTexts, toPackedTerm } from './packed-texts.ts'
import type { Slice } from './slices.ts'

/** A way to the matching rows of a list. */
export interface Way {
  readonly matches: Matches
  /** How many rows of the slice match. */
  count(slice: Slice): number
  /** The most entries of the counts that a slice may span. */
  readonly longestSpan: number
  /** Whether it counts in packed texts, which costs next to nothing for each match. */
  readonly isPacked: boolean
}

/** So many rows are few: going through them is quicker than through the search index or through all places. */
const FEW_ROWS = 5000

/** A trigram index can't find less. */
const SHORTEST_INDEXED_TERM = 3
/** FTS5 ends a text at the first, and reads the last two as the second. */
const MISREAD_BY_INDEX = ['\0', '\uFFFD', '\uFFFE', '\uFFFF']

/** Counting packed texts is so quick that a slice is kept short for the page, whose keys are looked for in the table. */
const LONGEST_PACKED_SPAN = 16

/** How the rows that pass the conditions are come by. */
interface Source {
  /** The rows as `r`, by the index that is best for the conditions. */
  readonly from: string
  readonly isFew: boolean
}

/**
 * The ways to the rows that match, the one that is mostly quickest first. A search has two where neither is always
 * quicker: through the index, which costs by what it finds and by how common the parts of the term are, and through
 * all texts, which costs nearly the same whatever the term.
 */
export function waysTo(
  statements: Statements,
  tables: ViewTables,
  { conditions, term }: TableQuery,
  packedTexts: PackedTexts,
): readonly [Way, Way?] {
  const by = (matches: Matches): Way => ({
    matches,
    count: (slice) => countIn(statements, matches, slice),
    longestSpan: Number.POSITIVE_INFINITY,
    isPacked: false,
  })
  const source = sourceOf(statements, tables, conditions)
  const { where, values } = toSql(conditions, 'r')
  if (term === '') return [by({ from: source.from, key: 'r.key', where: where || '1', values, isBySearchIndex: false })]
  if (tables.textColumns.length === 0)
    return [by({ from: source.from, key: 'r.key', where: '0', values: [], isBySearchIndex: false })]
  const texts = textMatches(tables, source, conditions, term)
  const throughTexts =
    conditions.length > 0 ? by(texts) : throughPackedTexts(statements, tables, texts, term, packedTexts)
  const isIndexed =
    [...term].length >= SHORTEST_INDEXED_TERM && !MISREAD_BY_INDEX.some((character) => term.includes(character))
  if (!isIndexed || source.isFew) return [throughTexts]
  return [by(indexMatches(tables, conditions, term)), throughTexts]
}

/** Through all texts where nothing else is asked: those that are packed, else (and for the page) those of the table. */
function throughPackedTexts(
  statements: Statements,
  tables: ViewTables,
  matches: Matches,
  term: string,
  packedTexts: PackedTexts,
): Way {
  const packedTerm = toPackedTerm(term)
  return {
    matches,
    count({ entries }) {
      let found = 0
      for (const entry of entries) {
        const texts = packedTexts.of(statements, tables, entry)
        found += texts === undefined ? countIn(statements, matches, entry) : countRowsWith(packedTerm, texts)
      }
      return found
    },
    longestSpan: LONGEST_PACKED_SPAN,
    isPacked: true,
  }
}

function sourceOf(statements: Statements, tables: ViewTables, conditions: readonly Condition[]): Source {
  const by = (index: string, isFew: boolean): Source => ({ from: `${tables.rows} AS r INDEXED BY ${index}`, isFew })
  const fewest = fewestRows(statements, tables, conditions, FEW_ROWS + 1)
  if (fewest && fewest.count <= FEW_ROWS) return by(indexOf(tables, fewest.condition.column), true)
  // The index of an exact filter is in the order of keys by itself.
  const [only] = conditions
  if (conditions.length === 1 && only?.test === '= ?') return by(indexOf(tables, only.column), false)
  if (conditions.length > 0 && tables.rangeColumns.length > 0) return by(tables.places, false)
  return { from: `${tables.rows} AS r`, isFew: false }
}

function textMatches(tables: ViewTables, source: Source, conditions: readonly Condition[], term: string): Matches {
  const { where, values } = toSql(conditions, 'r')
  const found = `(${tables.textColumns.map((column) => `instr(t.${column}, ?) > 0`).join(' OR ')})`
  const terms = tables.textColumns.map(() => term)
  if (where === '')
    return { from: `${tables.texts} AS t`, key: 't.key', where: found, values: terms, isBySearchIndex: false }
  return {
    from: `${source.from} CROSS JOIN ${tables.texts} AS t ON t.key = r.key`,
    key: 'r.key',
    where: `${where} AND ${found}`,
    values: [...values, ...terms],
    isBySearchIndex: false,
  }
}

function indexMatches(tables: ViewTables, conditions: readonly Condition[], term: string): Matches {
  const { where, values } = toSql(conditions, 'r')
  const by = tables.rangeColumns.length > 0 ? ` INDEXED BY ${tables.places}` : ''
  const join = where === '' ? '' : ` CROSS JOIN ${tables.rows} AS r${by} ON r.key = s.rowid`
  return {
    from: `${tables.search} AS s${join}`,
    key: 's.rowid',
    where: [`s.${tables.search} MATCH ?`, ...(where ? [where] : [])].join(' AND '),
    values: [phrase(term), ...values],
    isBySearchIndex: true,
  }
}

/** The term as it is: within the quotes of an FTS5 string nothing but the quote itself has a meaning. */
function phrase(term: string): string {
  return `"${term.replaceAll('"', '""')}"`
}
