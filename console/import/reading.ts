import { withOwnApostrophe } from '../csv/cells.ts'
import type { Mapping, ReadCell } from '../csv/sent-rows.ts'
import { text } from '../languages/texts.ts'
import { type ImportField, mappingProblem, nameOf, sentColumns } from './columns.ts'
import { isInQuestion, type SpelledColumn, spellingOf } from './evidence.ts'
import type { ImportKind } from './kinds.ts'
import { habits, notationOf } from './notations.ts'
import type { CsvFile } from './open-file.ts'
import { type Notation, respell, type Spelling, shareNotation } from './spelling.ts'

/** A column that can be read in two ways. */
export interface SpellingQuestion extends SpelledColumn {
  readonly index: number
  readonly name: string
  /** undefined: not decided yet. */
  readonly spelling: Spelling | undefined
}

/** The user's answers on how to read columns, by the keys of the questions. */
export type SpellingAnswers = Readonly<Record<string, Spelling>>

/** Identifies a question among those of a file. */
export const keyOf = ({ notation, index }: Pick<SpellingQuestion, 'notation' | 'index'>): string =>
  `${notation.spellings[0]}-${index}`

/** How a file is read: which field each column fills, and what was answered about columns. */
export function readingOf(
  file: CsvFile,
  { fields, required }: Pick<ImportKind, 'fields' | 'required'>,
  mapping: Mapping,
  answers: SpellingAnswers,
) {
  const filled = mapping.map((name) => fields.find((field) => field.name === name))
  const spelled = spelledColumns(file, filled, answers)
  const spelledAt = Map.groupBy(spelled, ({ index }) => index)
  const questions = spelled.filter(isInQuestion)
  const open = questions.find(({ spelling }) => spelling === undefined)
  return {
    /** What is asked about columns. */
    questions,
    /** Why the file can’t be checked yet; undefined: it can. */
    problem: mappingProblem(mapping, fields, required) ?? (open && text('import.chooseReading', { name: open.name })),
    /** The columns that are sent. */
    sent: sentColumns(mapping),
    /** An empty cell is a problem if its field asks what is meant, as in a form. */
    read(cell: string, index: number): ReadCell {
      const asks = filled[index]?.asks
      if (asks !== undefined && cell.trim() === '') return { text: cell, problem: asks }
      return (spelledAt.get(index) ?? []).reduce(respelled, { text: withOwnApostrophe(cell) })
    },
  }
}

export type Reading = ReturnType<typeof readingOf>

/**
 * The columns of numbers and dates, and how each is read. A column of tax percentages is listed twice, the second time
 * as fractions of 1.
 */
function spelledColumns(
  file: CsvFile,
  filled: readonly (ImportField | undefined)[],
  answers: SpellingAnswers,
): readonly SpellingQuestion[] {
  const columns = filled.flatMap((field, index) =>
    notationsOf(field).map((notation) => {
      return { index, name: nameOf(file, index), notation, tally: file.tallyOf(index, notation) }
    }),
  )
  return columns.map((column) => {
    const others = columns.filter(({ index, notation }) => index !== column.index && notation !== shareNotation)
    const answer = answers[keyOf(column)]
    return { ...column, spelling: answer ?? spellingOf(column, others, { ...habits, delimiter: file.delimiter }) }
  })
}

function notationsOf(field: ImportField | undefined): readonly Notation[] {
  const notation = notationOf(field?.kind)
  if (notation === undefined) return []
  return field?.name === 'taxPercent' ? [notation, shareNotation] : [notation]
}

/** A cell as its column is spelled. Percentages are what Mint takes. */
function respelled(cell: ReadCell, { notation, spelling }: SpellingQuestion): ReadCell {
  if (spelling === undefined || spelling === 'percent' || cell.problem !== undefined) return cell
  return respell(cell.text, notation, spelling)
}
