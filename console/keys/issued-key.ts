import { html, nothing, type TemplateResult } from 'lit-html'
import { isUncertain } from '../api/problem.ts'
import { showProblem } from '../frame/loader.ts'
import type { ApiKey } from './api-key.ts'

/** A key with its secret, which the API answers once. */
export type IssuedKey = ApiKey & { readonly key: string }

interface ShowOptions {
  readonly announce: (text: string) => void
  readonly done: string
}

/** Shows a new secret, the only time ever. */
export function showIssuedKey({ key, name }: IssuedKey, { announce, done }: ShowOptions): TemplateResult {
  return html`<div class="issued notice">
    <p>This is the key of <b><bdi>${name}</bdi></b>. <b>It is shown only now</b>: copy it to where it is used. Whoever has it can do all that its scopes allow.</p>
    <label for="issued-key">Key</label>
    <div class="copied">
      <input id="issued-key" class="secret" type="text" readonly autocomplete="off" spellcheck="false" .value=${key}
        @focus=${(event: Event) => (event.target as HTMLInputElement).select()}>
      <button type="button" class="primary" @click=${() => void copy(announce)}>Copy</button>
    </div>
    <p id="copy-outcome" class="hint"></p>
  </div>
  <p><a href=${done}>Done: to the list of keys</a></p>`
}

/** Where the page came over plain HTTP, the browser copies only what is selected. */
async function copy(announce: (text: string) => void): Promise<void> {
  const field = document.getElementById('issued-key') as HTMLInputElement
  const isCopied = await navigator.clipboard
    ?.writeText(field.value)
    .then(() => true)
    .catch(() => false)
  if (!isCopied) field.select()
  const text =
    isCopied || document.execCommand('copy')
      ? 'The key is copied.'
      : 'This browser doesn’t let the console copy. The key is selected: copy it by hand.'
  const outcome = document.getElementById('copy-outcome')
  if (outcome) outcome.textContent = text
  announce(text)
}

/** What went wrong with a request for a new secret: the answer, once lost, doesn't come again. */
export function showKeyProblem(problem: unknown): TemplateResult {
  return html`${showProblem(problem)}${
    isUncertain(problem)
      ? html`<p>It may have happened all the same. Find the key in the list: rotating it gives a key that you can see.</p>`
      : nothing
  }`
}
