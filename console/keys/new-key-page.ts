import { html, type TemplateResult } from 'lit-html'
import { live } from 'lit-html/directives/live.js'
import { explainViolation } from '../api/explain.ts'
import { ApiProblem } from '../api/problem.ts'
import { dateProblem } from '../fields/input.ts'
import { dayOf, startOfNextDay } from '../format/dates.ts'
import { focusSoon } from '../frame/focus.ts'
import type { Page, PageContext } from '../frame/page.ts'
import { createSending } from '../frame/sending.ts'
import { parts, text } from '../languages/texts.ts'
import { type IssuedKey, showIssuedKey, showKeyProblem } from './issued-key.ts'
import { scopeMeanings, showScopeChoices } from './scope-choices.ts'

type Problems = Readonly<Record<'name' | 'scopes' | 'expiresAt', string>>

const NONE: Problems = { name: '', scopes: '', expiresAt: '' }

/** The page that creates an API key, and then shows it. */
export function newKeyPage(context: PageContext): Page {
  const { api, document, update, announce, link } = context
  const meanings = scopeMeanings(document)
  const chosen = new Set<string>()
  let [name, lastDay] = ['', '']
  let problems = NONE
  const sending = createSending(context)
  let issued: IssuedKey | undefined

  async function create(event: Event): Promise<void> {
    event.preventDefault()
    if (sending.isRunning()) return
    sending.clear()
    problems = {
      name: name.trim() === '' ? text('keys.nameMissing') : '',
      scopes: chosen.size === 0 ? text('keys.scopeMissing') : '',
      expiresAt: dateProblem('last-day') || pastProblem(lastDay),
    }
    if (Object.values(problems).every((problem) => problem === '')) {
      await sending.run(send, (error) => (problems = fieldProblemsOf(error)))
    }
    update()
    focusSoon('[aria-invalid="true"], .invalid, #issued-key')
  }

  async function send(): Promise<void> {
    const expiresAt = lastDay === '' ? null : startOfNextDay(lastDay)
    issued = (await api.request('POST', 'api-keys', { body: { name, scopes: [...chosen], expiresAt } })).body
    announce(text('keys.createdNow'))
  }

  function form(): TemplateResult {
    return html`<form class="key-form" @submit=${create} novalidate>
      ${sending.view(showKeyProblem)}
      ${showName(name, problems.name, (typed) => (name = typed))}
      ${showScopeChoices({ meanings, chosen, problem: problems.scopes, changed: choose })}
      ${showLastDay(lastDay, problems.expiresAt, (day) => (lastDay = day))}
      <div class="form-end">
        <button class="primary" ?disabled=${sending.isRunning()}>${sending.isRunning() ? text('keys.creating') : text('keys.create')}</button>
        <a class="button" href=${link('/keys')}>${text('records.cancel')}</a>
      </div>
    </form>`
  }

  function choose(scope: string, isChosen: boolean): void {
    if (isChosen) chosen.add(scope)
    else chosen.delete(scope)
  }

  return {
    title: () => text(issued ? 'keys.copyTitle' : 'keys.newKey'),
    view: () => (issued ? showIssuedKey(issued, { announce, done: link('/keys') }) : form()),
    hasUnsavedInput: () => !issued && (name !== '' || chosen.size > 0 || lastDay !== ''),
  }
}

const textOf = (event: Event): string => (event.target as HTMLInputElement).value

function showName(name: string, problem: string, changed: (name: string) => void): TemplateResult {
  return html`<div class="field">
    <label for="name">${text('keys.name')}</label>
    <input id="name" type="text" maxlength="100" autocomplete="off" aria-required="true" aria-describedby="name-hint name-problem"
      aria-invalid=${problem === '' ? 'false' : 'true'} .value=${live(name)} @input=${(event: Event) => changed(textOf(event))}>
    <p id="name-hint" class="hint">${text('keys.nameHint')}</p>
    <p id="name-problem" class="field-problem">${problem}</p>
  </div>`
}

function showLastDay(day: string, problem: string, changed: (day: string) => void): TemplateResult {
  const optional = html`<span class="optional">${text('fields.optional')}</span>`
  return html`<div class="field">
    <label for="last-day">${parts('keys.lastDay', { optional })}</label>
    <input id="last-day" type="date" min=${dayOf(new Date())} aria-describedby="last-day-hint last-day-problem"
      aria-invalid=${problem === '' ? 'false' : 'true'} .value=${live(day)} @input=${(event: Event) => changed(textOf(event))}>
    <p id="last-day-hint" class="hint">${text('keys.lastDayHint')}</p>
    <p id="last-day-problem" class="field-problem">${problem}</p>
  </div>`
}

function pastProblem(lastDay: string): string {
  return lastDay !== '' && lastDay < dayOf(new Date()) ? text('keys.dayOver') : ''
}

function fieldProblemsOf(error: unknown): Problems {
  const errors = error instanceof ApiProblem ? error.errors : []
  const at = (name: string) => {
    const violation = errors.find(({ pointer }) => pointer.split('/')[1] === name)
    return violation ? explainViolation(violation) : ''
  }
  return { name: at('name'), scopes: at('scopes'), expiresAt: at('expiresAt') }
}
