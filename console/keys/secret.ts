import { html, nothing, type TemplateResult } from 'lit-html'
import type { ApiDocument } from '../api/document.ts'
import { isUncertain } from '../api/problem.ts'
import { showProblem } from '../frame/loader.ts'
import { parts, text } from '../languages/texts.ts'
import type { ApiKey } from './api-key.ts'

/** A key with its secret, which the API returns only once. */
export type IssuedKey = ApiKey & { readonly key: string }

interface ShowOptions {
  readonly announce: (text: string) => void
  /** Where to go next; undefined: the page stays. */
  readonly done?: string
  readonly of?: 'keys' | 'webhooks'
}

/** Shows a new secret, the only time that it can be seen. */
export function showIssuedKey({ key, name }: Pick<IssuedKey, 'key' | 'name'>, options: ShowOptions): TemplateResult {
  const { announce, done, of = 'keys' } = options
  const values = { name: html`<b><bdi>${name}</bdi></b>`, once: html`<b>${text('keys.shownOnce')}</b>` }
  return html`<div class="issued notice">
    <p>${parts(`keys.issued.${of}`, values)}</p>
    <label for="issued-key">${text('keys.key')}</label>
    <div class="copied">
      <input id="issued-key" class="secret" type="text" readonly autocomplete="off" spellcheck="false" .value=${key}
        @focus=${(event: Event) => (event.target as HTMLInputElement).select()}>
      <button type="button" class="primary" @click=${() => void copy(announce)}>${text('keys.copy')}</button>
    </div>
    <p id="copy-outcome" class="hint"></p>
  </div>
  ${done === undefined ? nothing : html`<p><a href=${done}>${text(`keys.done.${of}`)}</a></p>`}`
}

/** On a page served over plain HTTP, browsers copy only what is selected. */
async function copy(announce: (text: string) => void): Promise<void> {
  const field = document.getElementById('issued-key') as HTMLInputElement
  const isCopied = await navigator.clipboard
    ?.writeText(field.value)
    .then(() => true)
    .catch(() => false)
  if (!isCopied) field.select()
  const said = text(isCopied || document.execCommand('copy') ? 'keys.copied' : 'keys.notCopied')
  const outcome = document.getElementById('copy-outcome')
  if (outcome) outcome.textContent = said
  announce(said)
}

/** What went wrong with a request for a new secret, whose answer can't be fetched again if it is lost. */
export function showKeyProblem(problem: unknown): TemplateResult {
  return html`${showProblem(problem)}${isUncertain(problem) ? html`<p>${text('keys.uncertain')}</p>` : nothing}`
}

/** How long a replaced secret can keep working, in seconds. */
const GRACES = [0, 3_600, 86_400, 604_800, 2_592_000] as const

/** Asks how long a replaced secret should keep working. */
export function showGrace(document: ApiDocument, chosen: number, choose: (seconds: number) => void): TemplateResult {
  const { maximum = 0 } = document.schema('Rotation').properties?.graceSeconds ?? {}
  const offered = GRACES.filter((seconds) => seconds <= maximum)
  return html`<div class="field">
    <label for="grace">${text('keys.graceQuestion')}</label>
    <select id="grace" @change=${(event: Event) => choose(Number((event.target as HTMLSelectElement).value))}>
      ${offered.map((seconds) => html`<option value=${seconds} ?selected=${seconds === chosen}>${text(`keys.grace.${seconds}`)}</option>`)}
    </select>
    <p class="hint">${text('keys.graceHint')}</p>
  </div>`
}
