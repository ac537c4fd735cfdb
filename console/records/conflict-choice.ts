import { html, nothing, type TemplateResult } from 'lit-html'
import type { ClientNames } from '../fields/client-names.ts'
import { choiceLabel, type Field } from '../fields/fields.ts'
import { showAmount, showMoment } from '../fields/show.ts'
import type { Texts } from '../fields/texts.ts'
import { dates, decimals } from '../format/formats.ts'
import type { PageContext } from '../frame/page.ts'
import { parts, text } from '../languages/texts.ts'
import { type Column, showTable } from '../lists/table.ts'
import { type Choice, type Difference, differencesOf, merged, type Versions } from './conflict.ts'
import { authorOf, type HistoryEvent } from './history.ts'

interface ChoiceOptions {
  readonly fields: readonly Field[]
  readonly versions: Versions
  readonly names: ClientNames
  /** What others have saved meanwhile. */
  readonly edits: readonly HistoryEvent[]
  readonly save: (texts: Texts) => void
  /** Continues with what is saved. */
  readonly discard: () => void
}

/** Shows two edits of one record field by field, and lets the author of the second one choose. */
export function createConflictChoice(options: ChoiceOptions, { update }: Pick<PageContext, 'update'>) {
  const { fields, versions, edits, save, discard } = options
  const differences = differencesOf(fields, versions)
  let isIncomplete = false

  function saveChosen(event: Event): void {
    event.preventDefault()
    const chosen = new FormData(event.target as HTMLFormElement) as Iterable<[string, Choice]>
    const texts = merged(versions, differences, Object.fromEntries(chosen))
    isIncomplete = texts === undefined
    update()
    if (texts) save(texts)
  }

  function view(): TemplateResult {
    return html`<form class="conflict" @submit=${saveChosen}>
      <div class="warning" role="alert" tabindex="-1">
        <p>${parts('conflict.explained', { title: html`<b>${text('conflict.title')}</b>` })}</p>
        ${edits.map((edit) => html`<p>${parts('conflict.by', { author: authorOf(edit), moment: showMoment(edit.at) })}</p>`)}
      </div>
      ${showTable({ caption: text('conflict.caption'), columns, rows: differences })}
      ${isIncomplete ? html`<p class="field-problem" role="alert">${text('conflict.chooseAll')}</p>` : nothing}
      <div class="form-end">
        <button class="primary">${text('conflict.save')}</button>
        <button type="button" @click=${discard}>${text('conflict.drop')}</button>
      </div>
    </form>`
  }

  const columns: readonly Column<Difference>[] = [
    [
      text('word.field'),
      ({ field, type }) =>
        html`<span>${field.label}${type === 'conflict' ? html` <span class="quiet">${text('conflict.bothChanged')}</span>` : nothing}</span>`,
    ],
    [text('conflict.before'), ({ field, before }) => shown(field, before)],
    [text('conflict.theirs'), (difference) => side(difference, 'theirs')],
    [text('conflict.yours'), (difference) => side(difference, 'mine')],
  ]

  function side(difference: Difference, choice: Choice): TemplateResult {
    const { field, type } = difference
    const value = shown(field, difference[choice])
    const isSaved = type === choice || (type === 'same' && choice === 'theirs')
    if (type !== 'conflict')
      return html`<span>${value}${isSaved ? html`<br><span class="quiet">${text('conflict.kept')}</span>` : nothing}</span>`
    return html`<label class="choice">
      <input type="radio" name=${field.name} value=${choice}>
      <span><span class="visually-hidden">${text(choice === 'mine' ? 'conflict.yours' : 'conflict.theirs')}: </span>${value}</span>
    </label>`
  }

  function shown({ kind }: Field, typed: string): TemplateResult {
    if (typed === '') return html`<span class="quiet">${text('fields.none')}</span>`
    if (kind === 'client') return html`<bdi>${options.names.of(typed) || typed}</bdi>`
    const amount = kind === 'amount' ? decimals.read(typed) : undefined
    if (amount !== undefined) return showAmount(amount)
    return html`<bdi>${kind === 'date' ? dates.date(typed) : kind === 'choice' ? choiceLabel(typed) : typed}</bdi>`
  }

  return { view, hasUnsavedInput: () => true }
}
