import { html, nothing, type TemplateResult } from 'lit-html'
import { live } from 'lit-html/directives/live.js'
import { completed } from '../format/fold.ts'
import { text, textIfAny } from '../languages/texts.ts'
import type { ClientBox } from './client-box.ts'
import { choiceLabel, type Field } from './fields.ts'
import { isNeeded } from './texts.ts'

/** How a field of a form is shown. */
interface InputOptions {
  readonly value: string
  /** '' for none. */
  readonly problem: string
  readonly changed: (text: string) => void
  /** For fields that name a client. */
  readonly clientBox?: ClientBox
  /** Whether the form creates a record. */
  readonly isNew: boolean
  /** Texts to choose from while typing. */
  readonly suggestions?: readonly string[]
  /** A remark on the value, before the hint. */
  readonly remark?: TemplateResult | undefined
  /** Whether the value is proposed: nobody has typed it. */
  readonly isProposed?: boolean
  /** In a table: the id of its input, and what it is called there. */
  readonly cell?: { readonly id: string; readonly label: string }
  /** What a field for a client shows while there is none. */
  readonly clientText?: string
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
  const { remark = nothing, isProposed = false, cell } = options
  const { id, label } = cell ?? { id: inputId(field.name), label: field.label }
  const meaning = options.isNew && !isNeeded(field) ? field.emptyMeans : undefined
  const hint = [field.hint, meaning && text('fields.ifEmpty', { meaning })].filter(Boolean).join(' ')
  return html`<div class="field ${field.kind}${isProposed ? ' proposed' : ''}">
    <label for=${id} class=${cell ? 'visually-hidden' : ''}>${label}${isNeeded(field) || cell ? nothing : html` <span class="optional">${text('fields.optional')}</span>`}</label>
    ${control(field, id, options)}
    <p class="hint" id="${id}-hint">${remark}${cell ? '' : hint}</p>
    <p class="field-problem" id="${id}-problem">${options.problem}</p>
  </div>`
}

function control(field: Field, id: string, options: InputOptions): TemplateResult {
  const { value, problem, changed, clientBox, isNew, suggestions = [], clientText } = options
  const describedBy = `${id}-problem ${id}-hint`
  const isInvalid = problem !== ''
  const required = isNeeded(field)
  const typed = (event: Event) => changed((event.target as HTMLInputElement).value)
  if (clientBox && field.kind === 'client') {
    return clientBox({ id, value, changed, describedBy, isInvalid, text: clientText })
  }
  switch (field.kind) {
    case 'choice':
      return html`<select id=${id} aria-describedby=${describedBy} aria-invalid=${isInvalid} aria-required=${required} @change=${typed}>
        ${isNew ? html`<option value="" ?selected=${value === ''}></option>` : nothing}
        ${choicesWith(value, field.choices).map((choice) => html`<option value=${choice} ?selected=${choice === value}>${choiceLabel(choice)}</option>`)}
      </select>`
    case 'choices': {
      const chosen = value === '' ? [] : value.split(',')
      const choose = (choice: string) =>
        changed(field.choices.filter((one) => chosen.includes(one) !== (one === choice)).join())
      const choiceOf = (choice: string) => {
        const meaning = textIfAny(`scope.${choice}`)
        const meaningId = `${id}-${choice}`
        return html`<div class=${meaning ? 'explained-choice' : ''}>
          <label class="choice"><input type="checkbox" aria-describedby=${meaning ? meaningId : nothing} .checked=${live(chosen.includes(choice))} @change=${() => choose(choice)}> ${choiceLabel(choice)}</label>
          ${meaning ? html`<span class="hint" id=${meaningId}>${meaning}</span>` : nothing}
        </div>`
      }
      return html`<div id=${id} role="group" tabindex="-1" aria-label=${field.label} aria-describedby=${describedBy}>
        ${field.choices.map(choiceOf)}
      </div>`
    }
    case 'longText':
      return html`<textarea id=${id} rows=${options.cell ? 1 : 4} aria-describedby=${describedBy} aria-invalid=${isInvalid} aria-required=${required}
        .value=${live(value)} @input=${typed}></textarea>`
    case 'date':
    case 'moment':
      return html`<input id=${id} type="date" aria-describedby=${describedBy} aria-invalid=${isInvalid} aria-required=${required}
        .value=${live(value)} @input=${typed}>`
    default:
      return html`<input id=${id} type="text" inputmode=${inputMode(field)} autocomplete="off"
        list=${suggestions.length === 0 ? nothing : `${id}-suggestions`}
        aria-describedby=${describedBy} aria-invalid=${isInvalid} aria-required=${required} .value=${live(value)} @input=${(event: InputEvent) => changed(completeInput(event, suggestions))}>
        ${suggestions.length === 0 ? nothing : html`<datalist id="${id}-suggestions">${suggestions.map((text) => html`<option value=${text}></option>`)}</datalist>`}`
  }
}

/** Completes what is typed at the end of an input, as spreadsheets do; typing on replaces it. Returns the new value. */
function completeInput({ target, inputType }: InputEvent, inUse: readonly string[]): string {
  const input = target as HTMLInputElement
  const { length } = input.value
  const isTyped = inputType === 'insertText' && input.selectionStart === length
  const whole = isTyped ? completed(input.value, inUse) : undefined
  if (whole === undefined) return input.value
  input.value = whole
  input.setSelectionRange(length, whole.length)
  return whole
}

/** A record's current value stays a choice: the API accepts more time zones, under more names, than a browser lists. */
const choicesWith = (value: string, choices: readonly string[]): readonly string[] =>
  value === '' || choices.includes(value) ? choices : [value, ...choices]

/** The keyboard for decimals has no minus on an iPhone. */
function inputMode({ kind, minimum = 0 }: Field): 'decimal' | 'text' {
  return ['amount', 'decimal', 'number'].includes(kind) && minimum >= 0 ? 'decimal' : 'text'
}
