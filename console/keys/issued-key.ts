import { html, nothing, type TemplateResult } from 'lit-html'
import { isUncertain } from '../api/problem.ts'
import { showProblem } from '../frame/loader.ts'
import { showToCopy } from '../frame/to-copy.ts'
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
    ${showToCopy({ id: 'issued-key', label: 'Key', text: key, copied: 'The key is copied.', button: 'primary', announce })}
  </div>
  <p><a href=${done}>Done: to the list of keys</a></p>`
}

/** What went wrong with a request for a new secret: the answer, once lost, doesn't come again. */
export function showKeyProblem(problem: unknown): TemplateResult {
  return html`${showProblem(problem)}${
    isUncertain(problem)
      ? html`<p>It may have happened all the same. Find the key in the list: rotating it gives a key that you can see.</p>`
      : nothing
  }`
}
