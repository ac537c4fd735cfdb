import { html, type TemplateResult } from 'lit-html'
import { showLoaded } from '../frame/loader.ts'
import type { Page, PageContext } from '../frame/page.ts'
import { createSending } from '../frame/sending.ts'
import { parts, text } from '../languages/texts.ts'
import { stateOf } from './api-key.ts'
import { type LoadedKey, loadKey } from './load-key.ts'
import { showTime } from './show-key.ts'

/** The page that revokes a key, which is for good. */
export function revokePage(context: PageContext): Page {
  const { api, link, go, useKey } = context
  const key = loadKey(context)
  const revoking = createSending(context)

  async function revoke({ apiKey, isOwn }: LoadedKey): Promise<void> {
    await api.request('DELETE', `api-keys/${apiKey.id}`)
    if (isOwn) useKey(undefined)
    else go('/keys', text('keys.revokedNow'))
  }

  function question(loaded: LoadedKey): TemplateResult {
    const { apiKey, isOwn } = loaded
    if (stateOf(apiKey, new Date()) === 'revoked') {
      const list = html`<a href=${link('/keys')}>${text('keys.toList')}</a>`
      return html`<p>${parts('keys.wasRevoked', { when: showTime(apiKey.revokedAt, ''), list })}</p>`
    }
    const name = html`<bdi>${apiKey.name}</bdi>`
    return html`
      ${revoking.view()}
      <p>${parts('keys.revokeMeans', { name: html`<b>${name}</b>` })}</p>
      <p>${parts('keys.lastUsedWhen', { when: showTime(apiKey.lastUsedAt, text('keys.notYet')) })}</p>
      ${isOwn ? html`<p class="problem">${text('keys.revokesOwn')}</p>` : ''}
      <div class="form-end">
        <button type="button" class="danger" ?disabled=${revoking.isRunning()} @click=${() => revoking.run(() => revoke(loaded))}>${revoking.isRunning() ? text('keys.revoking') : parts('keys.revokeNamed', { name })}</button>
        <a class="button" href=${link(`/keys/${apiKey.id}`)}>${text('records.cancel')}</a>
      </div>
    `
  }

  return {
    title: () => text('keys.revokeNamed', { name: key.value()?.apiKey.name ?? text('keys.thisKey') }),
    view: () => showLoaded(key, question),
  }
}
