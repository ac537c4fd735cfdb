import { html, nothing, type TemplateResult } from 'lit-html'
import { live } from 'lit-html/directives/live.js'
import type { ClientBox } from '../fields/client-box.ts'
import { choiceLabel, type Field } from '../fields/fields.ts'
import { dayOf, startOfDay } from '../format/dates.ts'
import { text } from '../languages/texts.ts'
import { isNarrow } from './table.ts'

/** The field that is filtered by. */
type FilterField = Pick<Field, 'name' | 'label' | 'kind' | 'choices'> & Partial<Pick<Field, 'maxLength'>>

/** A filter's value, and how it is chosen. */
interface FilterOptions {
  readonly value: string | undefined
  /** '' removes it. */
  readonly changed: (value: string) => void
  readonly clientBox?: ClientBox
  readonly labelOf?: (choice: string) => string
}

/** The control of one filter of a list. */
export function showFilter(field: FilterField, options: FilterOptions): TemplateResult {
  const { value = '', changed, clientBox } = options
  const id = `filter-${field.name}`
  return html`<div class="filter">
    <label for=${id}>${field.label}</label>
    ${clientBox && field.kind === 'client' ? clientBox({ id, value, changed }) : control(field, id, { ...options, value })}
  </div>`
}

function control(
  field: FilterField,
  id: string,
  { value, changed, labelOf = choiceLabel }: FilterOptions & { readonly value: string },
): TemplateResult {
  const textOf = (event: Event) => (event.target as HTMLInputElement).value
  switch (field.kind) {
    case 'choice':
      return html`<select id=${id} @change=${(event: Event) => changed(textOf(event))}>
        <option value="" ?selected=${value === ''}>${text('word.all')}</option>
        ${field.choices.map((choice) => html`<option value=${choice} ?selected=${choice === value}>${labelOf(choice)}</option>`)}
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

/** Controls of filters that are folded unless one of them applies. */
export function foldedFilters(isOpen: boolean, controls: readonly TemplateResult[]): TemplateResult {
  return html`<details class="more-filters" ?open=${isOpen}>
    <summary>${text('lists.moreFilters')}</summary>
    <div class="filter-fields">${controls}</div>
  </details>`
}

/** The same controls where they are folded only on a phone, whose screen they would fill. */
export function filtersFoldedOnPhone(isOpen: boolean, controls: readonly TemplateResult[]): TemplateResult {
  return isNarrow() ? foldedFilters(isOpen, controls) : html`<div class="filter-fields">${controls}</div>`
}

function dayOrEmpty(moment: string): string {
  const date = new Date(moment)
  return Number.isNaN(date.getTime()) ? '' : dayOf(date)
}
