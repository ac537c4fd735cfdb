import { html, type TemplateResult } from 'lit-html'
import { focusSoon } from '../frame/focus.ts'
import { showLoaded } from '../frame/loader.ts'
import type { Page, PageContext } from '../frame/page.ts'
import { createSending } from '../frame/sending.ts'
import { stateOf } from './api-key.ts'
import { type IssuedKey, showIssuedKey, showKeyProblem } from './issued-key.ts'
import { type LoadedKey, loadKey } from './load-key.ts'

/** How long the key so far may work on. */
const GRACES: readonly (readonly [seconds: number, label: string])[] = [
  [0, 'Not at all: it may have leaked'],
  [3_600, 'For an hour'],
  [86_400, 'For a day'],
  [604_800, 'For a week'],
  [2_592_000, 'For 30 days'],
]

/** The page that gives a key a new secret, and then shows it. */
export function rotatePage(context: PageContext): Page {
  const { api, document, announce, link, useKey } = context
  const key = loadKey(context)
  const { maximum = 0 } = document.schema('Rotation').properties?.graceSeconds ?? {}
  let graceSeconds = 86_400
  const rotating = createSending(context)
  let issued: IssuedKey | undefined

  async function rotate(event: Event, { apiKey, isOwn }: LoadedKey): Promise<void> {
    event.preventDefault()
    await rotating.run(async () => {
      const { body } = await api.request('POST', `api-keys/${apiKey.id}/rotate`, { body: { graceSeconds } })
      issued = body
      if (isOwn) useKey(body.key)
      announce('The key is rotated. The new one is shown only now.')
    })
    focusSoon('#issued-key')
  }

  function form(loaded: LoadedKey): TemplateResult {
    const { apiKey, isOwn } = loaded
    if (stateOf(apiKey, new Date()) !== 'active') {
      return html`<p>This key is no longer active, and a new secret would not change that. <a href=${link('/keys/new')}>Create a new key</a></p>`
    }
    return html`<form class="key-form" @submit=${(event: Event) => void rotate(event, loaded)}>
      ${rotating.view(showKeyProblem)}
      <p>A new secret replaces that of <b><bdi>${apiKey.name}</bdi></b>. Its name, scopes and expiry stay, and the history still shows it as the same key.</p>
      ${isOwn ? html`<p>You are signed in with this key: the console switches to the new one.</p>` : ''}
      <div class="field">
        <label for="grace">How long does the present one work on?</label>
        <select id="grace" @change=${(event: Event) => {
          graceSeconds = Number((event.target as HTMLSelectElement).value)
        }}>
          ${GRACES.filter(([seconds]) => seconds <= maximum).map(([seconds, label]) => html`<option value=${seconds} ?selected=${seconds === graceSeconds}>${label}</option>`)}
        </select>
        <p class="hint">Time to bring the new one to where the key is used.</p>
      </div>
      <div class="form-end">
        <button class="primary" ?disabled=${rotating.isRunning()}>${rotating.isRunning() ? 'Rotating…' : 'Rotate key'}</button>
        <a class="button" href=${link(`/keys/${apiKey.id}`)}>Cancel</a>
      </div>
    </form>`
  }

  return {
    title: () => (issued ? 'Copy the new key' : `Rotate ${key.value()?.apiKey.name ?? 'key'}`),
    view: () => (issued ? showIssuedKey(issued, { announce, done: link('/keys') }) : showLoaded(key, form)),
  }
}
