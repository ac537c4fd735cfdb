import { html, nothing, type TemplateResult } from 'lit-html'
import { live } from 'lit-html/directives/live.js'
import { lastDayOf } from '../format/calendar.ts'
import { dayOf } from '../format/dates.ts'
import { dates } from '../format/formats.ts'
import type { PageContext } from '../frame/page.ts'
import { text } from '../languages/texts.ts'
import { daysToReopen, monthsToClose } from './choices.ts'
import { reasonField } from './reason.ts'

/** What is to be closed, or opened again. */
export interface Draft {
  readonly type: 'close' | 'open'
  /** The books are to be closed through this day; null: open. */
  readonly closedThrough: string | null
  readonly reason: string
}

/** What is suggested at first. */
export function newDraft(type: Draft['type'], closedThrough: string | null, today = dayOf(new Date())): Draft {
  const suggested =
    type === 'close'
      ? lastDayOf(monthsToClose(closedThrough, today).suggested)
      : daysToReopen(closedThrough ?? today)[0]
  return { type, closedThrough: suggested ?? null, reason: '' }
}

/** The same over books that somebody else may have closed or opened since; undefined: there is nothing left to open. */
export function draftOver(draft: Draft, closedThrough: string | null): Draft | undefined {
  if (choicesOf(draft, closedThrough).some(([value]) => value === (draft.closedThrough ?? ''))) return draft
  if (draft.type === 'open' && closedThrough === null) return undefined
  return { ...newDraft(draft.type, closedThrough), reason: draft.reason }
}

interface FormOptions {
  readonly draft: Draft
  /** As the books are now. */
  readonly closedThrough: string | null
  /** What is wrong with the reason; '' if nothing. */
  readonly problem: string
  readonly changed: (draft: Draft) => void
  readonly submit: () => void
  readonly cancel: () => void
}

/** The first step of closing or opening the books: through when, and why. */
export function showClosingForm(options: FormOptions, { document }: PageContext): TemplateResult {
  const { draft, closedThrough, problem, changed, submit, cancel } = options
  const reason = reasonField(document)
  const submitted = (event: Event) => {
    event.preventDefault()
    submit()
  }
  const through = (event: Event) =>
    changed({ ...draft, closedThrough: (event.target as HTMLSelectElement).value || null })
  return html`<form class="closing-form" @submit=${submitted} novalidate>
    <h2 id="step" tabindex="-1">${text(draft.type === 'close' ? 'closing.close' : 'closing.open')}</h2>
    <div class="field">
      <label for="through">${text(draft.type === 'close' ? 'closing.closeThrough' : 'closing.leaveClosedThrough')}</label>
      <select id="through" @change=${through}>${choicesOf(draft, closedThrough).map(
        ([value, label]) =>
          html`<option value=${value} ?selected=${value === (draft.closedThrough ?? '')}>${label}</option>`,
      )}</select>
    </div>
    <div class="field">
      <label for="reason">${text('field.reason')}</label>
      <input id="reason" type="text" autocomplete="off" maxlength=${reason?.maxLength ?? nothing} aria-required="true"
        aria-describedby="reason-problem reason-hint" aria-invalid=${problem === '' ? 'false' : 'true'}
        .value=${live(draft.reason)} @input=${(event: Event) => changed({ ...draft, reason: (event.target as HTMLInputElement).value })}>
      <p class="hint" id="reason-hint">${reason?.hint ?? ''}</p>
      <p class="field-problem" id="reason-problem" role="alert">${problem}</p>
    </div>
    <div class="form-end">
      <button class="primary">${text('closing.continue')}</button>
      <button type="button" @click=${cancel}>${text('records.cancel')}</button>
    </div>
  </form>`
}

function choicesOf({ type }: Draft, closedThrough: string | null): readonly (readonly [string, string])[] {
  const today = dayOf(new Date())
  if (type === 'close') {
    const { months } = monthsToClose(closedThrough, today)
    return months.map((month) => [lastDayOf(month), dates.month(month)])
  }
  const days = daysToReopen(closedThrough ?? today).map((day) => [day, dates.date(day)] as const)
  return [...days, ['', text('closing.noDay')]]
}
