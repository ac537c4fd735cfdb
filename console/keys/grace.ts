import { html, type TemplateResult } from 'lit-html'
import type { ApiDocument } from '../api/document.ts'
import { text } from '../languages/texts.ts'

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
