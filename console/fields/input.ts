import { html, nothing, type TemplateResult } from 'lit-html'
import { live } from 'lit-html/directives/live.js'
import { text } from '../languages/texts.ts'
import type { ClientBox } from './client-box.ts'
import { choiceLabel, type Field } from './fields.ts'

/** What a field of a form is shown with. */
interface InputOptions {
  readonly value: string
  /** '' for none. */
  readonly problem: string
  readonly changed: (text: string) => void
  /** For fields that name a client. */
  readonly clientBox: ClientBox
  /** Whether the form creates a record. */
  readonly isNew: boolean
}

/** The id of a field's input. */
export const inputId = (name: string): string => `field-${name}`

/** What is wrong with the date in an input, whose value is then that of an empty one; '' if nothing. */
export function dateProblem(id: string): string {
  const { validity } = (document.getElementById(id) as HTMLInputElement | null) ?? {}
  return validity?.badInput ? text('fields.dateIncomplete') : ''
}

/** A field of a form: its label, input, hint, and what is wrong with it. */
export function showInput(field: Field, options: InputOptions): TemplateResult {
  const { name, label, isRequired } = field
  const id = inputId(name)
  const hint = [field.hint, options.isNew ? field.emptyMeans : undefined].filter(Boolean).join(' ')
  return html`<div class="field ${field.kind}">
    <label for=${id}>${label}${isRequired ? nothing : html` <span class="optional">${text('fields.optional')}</span>`}</label>
    ${control(field, id, options)}
    <p class="hint" id="${id}-hint">${hint}</p>
    <p class="field-problem" id="${id}-problem">${options.problem}</p>
  </div>`
}

function control(
  field: Field,
  id: string,
  { value, problem, changed, clientBox, isNew }: InputOptions,
): TemplateResult {
  const describedBy = `${id}-problem ${id}-hint`
  const isInvalid = problem !== ''
  const invalid = isInvalid ? 'true' : 'false'
  const required = field.isRequired ? 'true' : 'false'
  const typed = (event: Event) => changed((event.target as HTMLInputElement).value)
  switch (field.kind) {
    case 'client':
      return clientBox({ id, value, changed, describedBy, isInvalid })
    case 'choice':
      return html`<select id=${id} aria-describedby=${describedBy} aria-invalid=${invalid} aria-required=${required} @change=${typed}>
        ${isNew ? html`<option value="" ?selected=${value === ''}></option>` : nothing}
        ${choicesWith(value, field.choices).map((choice) => html`<option value=${choice} ?selected=${choice === value}>${choiceLabel(choice)}</option>`)}
      </select>`
    case 'longText':
      return html`<textarea id=${id} rows="4" aria-describedby=${describedBy} aria-invalid=${invalid} aria-required=${required}
        .value=${live(value)} @input=${typed}></textarea>`
    case 'date':
      return html`<input id=${id} type="date" aria-describedby=${describedBy} aria-invalid=${invalid} aria-required=${required}
        .value=${live(value)} @input=${typed}>`
    default:
      return html`<input id=${id} type="text" inputmode=${inputMode(field)} autocomplete="off"
        aria-describedby=${describedBy} aria-invalid=${invalid} aria-required=${required} .value=${live(value)} @input=${typed}>`
  }
}

/** What a record has already stays a choice: the API knows more time zones, under more names, than a browser lists. */
const choicesWith = (value: string, choices: readonly string[]): readonly string[] =>
  value === '' || choices.includes(value) ? choices : [value, ...choices]

/** The keyboard for decimals has no minus on an iPhone. */
function inputMode({ kind, minimum = 0 }: Field): 'decimal' | 'text' {
  return ['amount', 'decimal', 'number'].includes(kind) && minimum >= 0 ? 'decimal' : 'text'
}
