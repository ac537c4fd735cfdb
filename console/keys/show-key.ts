import { html, type TemplateResult } from 'lit-html'
import { showMoment } from '../fields/show.ts'
import { text } from '../languages/texts.ts'
import { type ApiKey, stateOf } from './api-key.ts'

/** A time, or words where there is none. */
export function showTime(time: string | null, none: string): TemplateResult {
  return time === null ? html`<span class="quiet">${none}</span>` : showMoment(time)
}

/** A list of scopes, by their names in the API. */
export function showScopes(scopes: readonly string[]): TemplateResult {
  return html`<ul class="scopes">${scopes.map((scope) => html`<li><code>${scope}</code></li>`)}</ul>`
}

/** Marks the key of a person among those of programs. */
export function showKind(kind: ApiKey['kind']): TemplateResult {
  return html`${kind === 'person' ? html`<span class="badge">${text('keys.person')}</span>` : ''}`
}

/** The state of a key, and whether the user is signed in with it. */
export function showState(apiKey: ApiKey, isOwn: boolean): TemplateResult {
  const state = stateOf(apiKey, new Date())
  return html`<span class="badge ${state}">${text(`keys.state.${state}`)}</span>${isOwn ? html` <span class="badge own">${text('keys.yours')}</span>` : ''}`
}
