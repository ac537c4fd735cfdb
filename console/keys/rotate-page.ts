import { html, type TemplateResult } from 'lit-html'
import type { ApiDocument } from '../api/document.ts'
import { focusSoon } from '../frame/focus.ts'
import { showLoaded } from '../frame/loader.ts'
import type { Page, PageContext } from '../frame/page.ts'
import { createSending } from '../frame/sending.ts'
import { parts, text } from '../languages/texts.ts'
import { stateOf } from './api-key.ts'
import { type IssuedKey, showIssuedKey, showKeyProblem } from './issued-key.ts'
import { type LoadedKey, loadKey } from './load-key.ts'

/** How long the key so far may work on, in seconds. */
const GRACES = [0, 3_600, 86_400, 604_800, 2_592_000] as const

/** Asks how long what is replaced may work on, in seconds. */
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

/** The page that gives a key a new secret, and then shows it. */
export function rotatePage(context: PageContext): Page {
  const { api, document, announce, link, useKey } = context
  const key = loadKey(context)
  let graceSeconds = 86_400
  const rotating = createSending(context)
  let issued: IssuedKey | undefined

  async function rotate(event: Event, { apiKey, isOwn }: LoadedKey): Promise<void> {
    event.preventDefault()
    await rotating.run(async () => {
      const { body } = await api.request('POST', `api-keys/${apiKey.id}/rotate`, { body: { graceSeconds } })
      issued = body
      if (isOwn) useKey(body.key)
      announce(text('keys.rotatedNow'))
    })
    focusSoon('#issued-key')
  }

  function form(loaded: LoadedKey): TemplateResult {
    const { apiKey, isOwn } = loaded
    if (stateOf(apiKey, new Date()) !== 'active') {
      const create = html`<a href=${link('/keys/new')}>${text('keys.createNew')}</a>`
      return html`<p>${parts('keys.notActive', { create })}</p>`
    }
    return html`<form class="key-form" @submit=${(event: Event) => void rotate(event, loaded)}>
      ${rotating.view(showKeyProblem)}
      <p>${parts('keys.rotateMeans', { name: html`<b><bdi>${apiKey.name}</bdi></b>` })}</p>
      ${isOwn ? html`<p>${text('keys.rotatesOwn')}</p>` : ''}
      ${showGrace(document, graceSeconds, (chosen) => (graceSeconds = chosen))}
      <div class="form-end">
        <button class="primary" ?disabled=${rotating.isRunning()}>${rotating.isRunning() ? text('keys.rotating') : text('keys.rotateKey')}</button>
        <a class="button" href=${link(`/keys/${apiKey.id}`)}>${text('records.cancel')}</a>
      </div>
    </form>`
  }

  return {
    title: () =>
      issued
        ? text('keys.copyTitle')
        : text('keys.rotateNamed', { name: key.value()?.apiKey.name ?? text('keys.thisKey') }),
    view: () => (issued ? showIssuedKey(issued, { announce, done: link('/keys') }) : showLoaded(key, form)),
  }
}
