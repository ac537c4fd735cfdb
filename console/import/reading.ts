import type { Mapping, ReadCell } from '../csv/sent-rows.ts'
import { text } from '../languages/texts.ts'
import { askedIfEmpty, mappingProblem, sentColumns } from './columns.ts'
import type { CsvFile } from './csv-file.ts'
import { isInQuestion } from './evidence.ts'
import type { ImportKind } from './kinds.ts'
import type { SpellingAnswers } from './show-spelling.ts'
import { readCell, spelledColumns } from './spelled-columns.ts'
import { asPercent, shareQuestion } from './tax-shares.ts'

/** How a file is read: which field each column fills, and what was answered about columns. */
export function readingOf(file: CsvFile, { fields, required }: ImportKind, mapping: Mapping, answers: SpellingAnswers) {
  const spelled = spelledColumns(file, fields, mapping, answers)
  const share = shareQuestion(file, mapping, answers)
  const questions = [...spelled.filter(({ tally }) => isInQuestion(tally)), ...(share ? [share] : [])]
  const open = questions.find(({ spelling }) => spelling === undefined)
  const asks = mapping.map((name) => fields.find((field) => field.name === name)?.asks)
  return {
    /** What is asked about columns. */
    questions,
    /** Why the file can’t be checked yet; undefined: it can. */
    problem: mappingProblem(mapping, fields, required) ?? (open && text('import.chooseReading', { name: open.name })),
    /** The columns that are sent. */
    sent: sentColumns(mapping, fields),
    read: (cell: string, index: number): ReadCell =>
      askedIfEmpty(asPercent(readCell(spelled, cell, index), share, index), asks[index]),
  }
}

export type Reading = ReturnType<typeof readingOf>
