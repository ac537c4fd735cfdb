import { html, type TemplateResult } from 'lit-html'
import { dates, decimals } from '../format/formats.ts'
import { parts, text } from '../languages/texts.ts'
import type { Tally } from './evidence.ts'
import type { Notation, Spelling } from './spelling.ts'

/** A column that can be read in two ways. */
export interface SpellingQuestion {
  readonly index: number
  readonly name: string
  readonly notation: Notation
  readonly tally: Tally
  /** undefined: not decided yet. */
  readonly spelling: Spelling | undefined
}

/** The user's answers on how to read columns, by the keys of the questions. */
export type SpellingAnswers = Readonly<Record<string, Spelling>>

/** Identifies a question among those of a file. */
export const keyOf = ({ notation, index }: Pick<SpellingQuestion, 'notation' | 'index'>): string =>
  `${notation.spellings[0]}-${index}`

/** Asks how a column is to be read, with what its cells would mean either way. */
export function showSpelling(question: SpellingQuestion, changed: (spelling: Spelling) => void): TemplateResult {
  const { name, notation, tally, spelling } = question
  const examples = [...tally.unclear, ...tally.first, ...tally.second]
  const choice = (value: Spelling) => html`<label class="choice">
    <input type="radio" name=${`spelling-${keyOf(question)}`} .checked=${value === spelling} @change=${() => changed(value)}>
    <span>${text(`import.spelling.${value}`)}
      ${examples.map((cell) => html`<span class="reading">${meaning(cell, notation.readings(cell)[value], notation.type)}</span>`)}</span>
  </label>`
  return html`<fieldset class="spelling">
    <legend>${parts('import.howRead', { name: html`<bdi>${name}</bdi>` })}</legend>
    ${notation.spellings.map(choice)}
  </fieldset>`
}

function meaning(typed: string, value: string | undefined, type: Notation['type']) {
  const cell = html`<bdi>${typed}</bdi>`
  if (value === undefined) return parts('import.isInvalid', { cell })
  const shown = type === 'dates' ? dates.date(value) : decimals.exact(value)
  return parts('import.means', { cell, value: html`<b>${shown}</b>` })
}
