import type { Mapping } from '../csv/sent-rows.ts'
import { decimals } from '../format/formats.ts'
import { locales } from '../languages/texts.ts'
import { type ImportField, nameOf } from './columns.ts'
import type { CsvFile } from './csv-file.ts'
import { dateOrderOf, spellingOf } from './evidence.ts'
import { notationOf } from './notations.ts'
import { keyOf, type SpellingAnswers, type SpellingQuestion } from './show-spelling.ts'
import { respell } from './spelling.ts'

/** How the reader's language writes. */
const habits = { mark: decimals.mark, dateOrder: dateOrderOf(locales) }

/** The columns of numbers and dates, and how each is read. */
export function spelledColumns(
  file: CsvFile,
  fields: readonly ImportField[],
  mapping: Mapping,
  answers: SpellingAnswers,
): readonly SpellingQuestion[] {
  const columns = mapping.flatMap((field, index) => {
    const notation = notationOf(fields.find(({ name }) => name === field)?.kind)
    return notation ? [{ index, name: nameOf(file, index), notation, tally: file.tallyOf(index, notation) }] : []
  })
  return columns.map((column) => {
    const others = columns.filter((other) => other !== column)
    const answer = answers[keyOf(column)]
    return { ...column, spelling: answer ?? spellingOf(column, others, { ...habits, delimiter: file.delimiter }) }
  })
}

/** Reads a cell as its column is spelled. */
export function readCell(spelled: readonly SpellingQuestion[], cell: string, index: number) {
  const { notation, spelling } = spelled.find((column) => column.index === index) ?? {}
  return notation && spelling ? respell(cell, notation, spelling) : { text: cell }
}
