import { html, type TemplateResult } from 'lit-html'
import { dates, decimals } from '../format/formats.ts'
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

const LABELS = {
  '.': 'with a decimal point',
  ',': 'with a decimal comma',
  dmy: 'with the day first',
  mdy: 'with the month first',
  percent: 'in percent',
  share: 'as shares of 1',
} as const

/** Asks how a column is to be read, with what its cells would mean either way. */
export function showSpelling(question: SpellingQuestion, changed: (spelling: Spelling) => void): TemplateResult {
  const { index, name, notation, tally, spelling } = question
  const examples = [...tally.unclear, ...tally.first, ...tally.second]
  const choice = (value: Spelling) => html`<label class="choice">
    <input type="radio" name=${`spelling-${notation.spellings[0]}-${index}`} .checked=${value === spelling} @change=${() => changed(value)}>
    <span>${LABELS[value]}
      ${examples.map((cell) => html`<span class="reading"><bdi>${cell}</bdi> ${meaning(notation.readings(cell)[value], notation.type)}</span>`)}</span>
  </label>`
  return html`<fieldset class="spelling">
    <legend>How <bdi>${name}</bdi> is read</legend>
    ${notation.spellings.map(choice)}
  </fieldset>`
}

function meaning(text: string | undefined, type: Notation['type']): TemplateResult {
  if (text === undefined) return html`is invalid`
  return html`means <b>${type === 'dates' ? dates.date(text) : decimals.exact(text)}</b>`
}
