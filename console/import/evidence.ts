import type { Delimiter } from '../csv/cells.ts'
import type { DecimalMark } from '../format/numbers.ts'
import type { DateOrder, Notation, Spelling } from './spelling.ts'

/** The first cells of a column that may show its spelling, a few of each sort. */
export interface Tally {
  /** Cells that can only be read in the notation's first spelling, or only in its second. */
  readonly first: readonly string[]
  readonly second: readonly string[]
  /** Cells that mean the same in both spellings, and cells that mean different things. */
  readonly same: readonly string[]
  readonly unclear: readonly string[]
}

const EXAMPLES = 2
/** Longer ones are neither numbers nor dates. */
const MAX_CHARACTERS = 50

const nothingSeen: Tally = { first: [], second: [], same: [], unclear: [] }

/** Collects cells by their columns, each of which may turn out to be in any of the notations. */
export function createTallies(notations: readonly Notation[]) {
  const tallies = new Map(notations.map((notation) => [notation, [] as Tally[]]))
  return {
    see(cell: string, column: number): void {
      if (cell.length > MAX_CHARACTERS) return
      for (const [notation, columns] of tallies) {
        if (notation.telling.test(cell)) columns[column] = withCell(columns[column] ?? nothingSeen, cell, notation)
      }
    },
    of: (column: number, notation: Notation): Tally => tallies.get(notation)?.[column] ?? nothingSeen,
  }
}

function withCell(tally: Tally, cell: string, { readings, spellings: [first, second] }: Notation): Tally {
  const { [first]: one, [second]: other } = readings(cell)
  if (one === undefined && other === undefined) return tally
  const sort = one === other ? 'same' : one === undefined ? 'second' : other === undefined ? 'first' : 'unclear'
  if (tally[sort].length === EXAMPLES || tally[sort].includes(cell)) return tally
  return { ...tally, [sort]: [...tally[sort], cell] }
}

/** A column of numbers or dates, or of taxes that may be fractions of 1. */
export interface SpelledColumn {
  readonly notation: Notation
  readonly tally: Tally
}

/** What else indicates how a column is spelled. */
export interface Evidence {
  readonly delimiter: Delimiter
  /** How the reader's language writes, if it is in one of these ways. */
  readonly mark: DecimalMark | undefined
  readonly dateOrder: DateOrder | undefined
}

/** Whether a column has cells that can be read in two ways, or ones that can't be read in one way. */
export function isInQuestion({ tally: { first, second, unclear }, notation }: SpelledColumn): boolean {
  // A single tax above 1 shows that all are percentages.
  if (notation.type === 'shares' && first.length > 0) return false
  return unclear.length > 0 || (first.length > 0 && second.length > 0)
}

/**
 * How a column of a file is spelled; undefined: its cells leave it open, or contradict each other, so the user must say.
 * What cells leave open is decided by two pieces of evidence or more, if none contradicts them.
 */
export function spellingOf(
  column: SpelledColumn,
  others: readonly SpelledColumn[],
  evidence: Evidence,
): Spelling | undefined {
  const { tally, notation } = column
  const certain = certainIn(column)
  if (certain !== undefined || !isInQuestion(column)) return certain ?? notation.spellings[0]
  if (tally.first.length > 0) return undefined
  const [vote, ...more] = votesOn[notation.type](others, evidence).filter((one) => one !== undefined)
  return more.length > 0 && more.every((one) => one === vote) ? vote : undefined
}

/** What the cells alone say. */
function certainIn({ tally: { first, second }, notation }: SpelledColumn): Spelling | undefined {
  if (first.length > 0 === second.length > 0) return undefined
  return notation.spellings[first.length > 0 ? 0 : 1]
}

type Votes = readonly (Spelling | undefined)[]

/** Spreadsheets separate with semicolons where the comma is the decimal mark. */
const MARK_BESIDE: Readonly<Record<Delimiter, DecimalMark | undefined>> = { ',': '.', ';': ',', '\t': undefined }

const votesOn: Readonly<Record<Notation['type'], (others: readonly SpelledColumn[], evidence: Evidence) => Votes>> = {
  numbers: (others, { delimiter, mark }) => [MARK_BESIDE[delimiter], mark, ...others.map(markOf)],
  dates: (others, { delimiter, dateOrder }) => [
    delimiter === ';' ? 'dmy' : undefined,
    dateOrder,
    ...others.filter(({ notation }) => notation.type === 'dates').map(certainIn),
  ],
  shares: () => [],
}

/** The decimal mark that another column suggests: a column of dates, by how its country writes numbers. */
function markOf(column: SpelledColumn): Spelling | undefined {
  const { first, second, same, unclear } = column.tally
  const certain = certainIn(column)
  if (certain === 'mdy') return '.'
  if (certain === 'dmy') return first.some((cell) => cell.includes('.')) ? ',' : undefined
  const isIso = column.notation.type === 'dates' && same.length > 0
  // Programs write dates like 2026-12-31, and numbers with a point.
  return isIso && first.length + second.length + unclear.length === 0 ? '.' : certain
}

/** Whether a locale writes the day or the month first; undefined: the year. */
export function dateOrderOf(locales: readonly string[]): DateOrder | undefined {
  const [first] = new Intl.DateTimeFormat([...locales], { dateStyle: 'short' })
    .formatToParts()
    .filter(({ type }) => ['day', 'month', 'year'].includes(type))
  return { day: 'dmy' as const, month: 'mdy' as const }[first?.type as 'day' | 'month']
}
