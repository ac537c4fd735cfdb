import { html, nothing, type TemplateResult } from 'lit-html'
import type { FieldKind } from '../fields/fields.ts'
import type { Spelling } from './spelling.ts'

interface SpellingOptions {
  /** Of the fields that columns become. */
  readonly kinds: readonly (FieldKind | undefined)[]
  readonly spelling: Spelling
  readonly changed: (spelling: Spelling) => void
}

const NUMBERS = [
  ['.', '1234.56'],
  [',', '1.234,56'],
] as const

const DATES = [
  ['ymd', '2026-12-31: year, month, day'],
  ['dmy', '31.12.2026: day, month, year'],
  ['mdy', '12/31/2026: month, day, year'],
] as const

/** How a file writes numbers and dates, where columns become such fields. */
export function showSpelling({ kinds, spelling, changed }: SpellingOptions): TemplateResult {
  const hasNumbers = kinds.includes('amount') || kinds.includes('decimal')
  return html`<div class="spelling">
    ${hasNumbers ? choice('Numbers in the file', NUMBERS, spelling.decimalMark, (decimalMark) => changed({ ...spelling, decimalMark })) : nothing}
    ${kinds.includes('date') ? choice('Dates in the file', DATES, spelling.dateOrder, (dateOrder) => changed({ ...spelling, dateOrder })) : nothing}
  </div>`
}

function choice<Value extends string>(
  label: string,
  choices: readonly (readonly [Value, string])[],
  chosen: Value,
  changed: (value: Value) => void,
): TemplateResult {
  const change = (event: Event) => changed((event.target as HTMLSelectElement).value as Value)
  return html`<label>${label}
    <select @change=${change}>${choices.map(([value, text]) => html`<option value=${value} ?selected=${value === chosen}>${text}</option>`)}</select>
  </label>`
}
