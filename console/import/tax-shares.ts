import Big from 'big.js'
import type { Mapping, ReadCell } from '../csv/sent-rows.ts'
import { text } from '../languages/texts.ts'
import { nameOf } from './columns.ts'
import type { CsvFile } from './csv-file.ts'
import { keyOf, type SpellingAnswers, type SpellingQuestion } from './show-spelling.ts'
import type { Notation } from './spelling.ts'

/** Taxes in percent: in a spreadsheet, a cell that shows 19 % holds 0.19. */
export const shareNotation: Notation = {
  type: 'numbers',
  spellings: ['percent', 'share'],
  telling: /^\s*\d{1,3}([.,]\d+)?\s*%?\s*$/,
  readings(cell) {
    const percent = cell.replace(',', '.').replace('%', '').trim()
    const canBeShare = !cell.includes('%') && Number(percent) <= 1
    return { percent, share: canBeShare ? new Big(percent).times(100).toFixed() : undefined }
  },
  problem: () => text('import.notAShare'),
}

/** Asks what is meant by taxes that are all below 1; undefined: the column leaves no doubt. */
export function shareQuestion(file: CsvFile, mapping: Mapping, answers: SpellingAnswers): SpellingQuestion | undefined {
  const index = mapping.indexOf('taxPercent')
  const tally = file.tallyOf(index, shareNotation)
  if (tally.first.length > 0 || tally.unclear.length === 0) return undefined
  const question = { index, name: nameOf(file, index), notation: shareNotation, tally }
  return { ...question, spelling: answers[keyOf(question)] }
}

/** A cell as it is read once the question is answered. */
export function asPercent(cell: ReadCell, question: SpellingQuestion | undefined, column: number): ReadCell {
  if (question?.spelling !== 'share' || column !== question.index || cell.text.trim() === '') return cell
  const { share } = shareNotation.readings(cell.text)
  return share === undefined
    ? { ...cell, problem: shareNotation.problem(cell.text, 'share') }
    : { ...cell, text: share }
}
