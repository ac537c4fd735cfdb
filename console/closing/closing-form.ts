import { html, type TemplateResult } from 'lit-html'
import type { Field } from '../fields/fields.ts'
import { showInput } from '../fields/input.ts'
import { lastDayOf } from '../format/calendar.ts'
import { dayOf } from '../format/dates.ts'
import { dates } from '../format/formats.ts'
import type { PageContext } from '../frame/page.ts'
import { text } from '../languages/texts.ts'
import { daysToReopen, monthsToClose } from './choices.ts'
import { closingField } from './reason.ts'

/** What is to be closed, or reopened. */
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

/** The same for books that somebody else may have closed or reopened since; undefined: nothing is left to reopen. */
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
  const isClosing = draft.type === 'close'
  const choices = new Map(choicesOf(draft, closedThrough))
  const through: Field = {
    ...closingField(document, 'closedThrough'),
    ...{ kind: 'choice', choices: [...choices.keys()], hint: undefined, isRequired: true },
    label: text(isClosing ? 'closing.closeThrough' : 'closing.leaveClosedThrough'),
  }
  const submitted = (event: Event) => {
    event.preventDefault()
    submit()
  }
  return html`<form class="closing-form" @submit=${submitted} novalidate>
    <h2 id="step" tabindex="-1">${text(isClosing ? 'closing.close' : 'closing.open')}</h2>
    ${showInput(through, {
      value: draft.closedThrough ?? '',
      problem: '',
      changed: (day) => changed({ ...draft, closedThrough: day || null }),
      labelOf: (day) => choices.get(day) ?? day,
      isNew: false,
    })}
    ${showInput(closingField(document, 'reason'), {
      value: draft.reason,
      problem,
      changed: (reason) => changed({ ...draft, reason }),
      isNew: false,
    })}
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
