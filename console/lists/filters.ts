import { html, nothing, type TemplateResult } from 'lit-html'
import { live } from 'lit-html/directives/live.js'
import type { ClientBox } from '../fields/client-box.ts'
import { choiceLabel, type Field } from '../fields/fields.ts'
import { dayOf, startOfDay } from '../format/dates.ts'
import { text } from '../languages/texts.ts'

/** A filter as it is typed, and what becomes of it. */
interface FilterOptions {
  readonly value: string | undefined
  /** '' removes it. */
  readonly changed: (value: string) => void
  readonly clientBox: ClientBox
}

/** The control of one filter of a list. */
export function showFilter(field: Field, { value = '', changed, clientBox }: FilterOptions): TemplateResult {
  const id = `filter-${field.name}`
  return html`<div class="filter">
    <label for=${id}>${field.label}</label>
    ${field.kind === 'client' ? clientBox({ id, value, changed }) : control(field, id, value, changed)}
  </div>`
}

function control(field: Field, id: string, value: string, changed: (value: string) => void): TemplateResult {
  const textOf = (event: Event) => (event.target as HTMLInputElement).value
  switch (field.kind) {
    case 'choice':
      return html`<select id=${id} @change=${(event: Event) => changed(textOf(event))}>
        <option value="" ?selected=${value === ''}>${text('lists.all')}</option>
        ${field.choices.map((choice) => html`<option value=${choice} ?selected=${choice === value}>${choiceLabel(choice)}</option>`)}
      </select>`
    case 'date':
      return html`<input id=${id} type="date" .value=${live(value)} @change=${(event: Event) => changed(textOf(event))}>`
    case 'moment':
      return html`<input id=${id} type="date" .value=${live(dayOrEmpty(value))}
        @change=${(event: Event) => changed(textOf(event) && startOfDay(textOf(event)))}>`
    default:
      return html`<input id=${id} type="search" maxlength=${field.maxLength ?? nothing} .value=${value}
        spellcheck="false" autocomplete="off" @input=${(event: Event) => changed(textOf(event))}>`
  }
}

function dayOrEmpty(moment: string): string {
  const date = new Date(moment)
  return Number.isNaN(date.getTime()) ? '' : dayOf(date)
}
