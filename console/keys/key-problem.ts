import { html, nothing, type TemplateResult } from 'lit-html'
import { isUncertain } from '../api/problem.ts'
import { showProblem } from '../frame/loader.ts'

/** What went wrong with a request for a new secret: the answer, once lost, doesn't come again. */
export function showKeyProblem(problem: unknown): TemplateResult {
  return html`${showProblem(problem)}${
    isUncertain(problem)
      ? html`<p>It may have happened all the same. Find the key in the list: rotating it gives a key that you can see.</p>`
      : nothing
  }`
}
