import { html, nothing, type TemplateResult } from 'lit-html'
import type { ApiDocument } from '../api/document.ts'
import { Explained, isUncertain } from '../api/problem.ts'
import { focusSoon } from '../frame/focus.ts'
import type { PageContext } from '../frame/page.ts'
import { parts, text } from '../languages/texts.ts'
import type { ApiKey } from './api-key.ts'

/** A key with its secret, which the API returns only once. */
type IssuedKey = ApiKey & { readonly key: string }

type Shown = Pick<IssuedKey, 'key' | 'name'>

/** Shows a new secret the only time that it can be seen, and asks before it is left uncopied. */
export function createIssuedKey({ announce }: Pick<PageContext, 'announce'>, of: 'keys' | 'webhooks' = 'keys') {
  let issued: Shown | undefined
  let isKept = true
  const keep = () => (isKept = true)

  /** On a page served over plain HTTP, browsers copy only what is selected. */
  async function copy({ key }: Shown): Promise<void> {
    const isWritten = await navigator.clipboard
      ?.writeText(key)
      .then(() => true)
      .catch(() => false)
    if (!isWritten) document.querySelector<HTMLInputElement>('#issued-key')?.select()
    const isCopied = isWritten || document.execCommand('copy')
    if (isCopied) keep()
    const said = text(isCopied ? 'keys.copied' : 'keys.notCopied')
    const outcome = document.getElementById('copy-outcome')
    if (outcome) outcome.textContent = said
    announce(said)
  }

  return {
    /** Shows it from now on, and announces this. */
    show(shown: Shown, said: string): void {
      issued = shown
      isKept = false
      announce(said)
      focusSoon('#issued-key')
    },
    isShown: () => issued !== undefined,
    /** What to ask before it is lost; false once it was copied, or the user says that it is. */
    question: (): string | false => !isKept && text('keys.leaveQuestion'),
    /** `done`: where to go next; undefined: the page stays. */
    view(done?: string): TemplateResult {
      if (!issued) return html``
      const shown = issued
      const { key, name } = shown
      const values = { name: html`<b><bdi>${name}</bdi></b>`, once: html`<b>${text('keys.shownOnce')}</b>` }
      return html`<div class="issued notice">
        <p>${parts(`keys.issued.${of}`, values)}</p>
        <label for="issued-key">${text('keys.key')}</label>
        <div class="copied">
          <input id="issued-key" class="secret" type="text" readonly autocomplete="off" spellcheck="false" .value=${key} @copy=${keep}
            @focus=${(event: Event) => (event.target as HTMLInputElement).select()}>
          <button type="button" class="primary" @click=${() => void copy(shown)}>${text('keys.copy')}</button>
        </div>
        <p id="copy-outcome" class="hint"></p>
      </div>
      ${done === undefined ? nothing : html`<p><a href=${done} @click=${keep}>${text(`keys.done.${of}`)}</a></p>`}`
    },
  }
}

/** Handles the failure of a request for a new secret, whose answer can't be fetched again if it is lost. */
export const secretLost =
  (of: 'keys' | 'webhooks') =>
  (problem: unknown): never => {
    throw isUncertain(problem) ? new Explained(text(`${of}.uncertain`)) : problem
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
