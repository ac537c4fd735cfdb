import { html, type TemplateResult } from 'lit-html'
import { showLoaded } from '../frame/loader.ts'
import type { Page, PageContext } from '../frame/page.ts'
import { createSending } from '../frame/sending.ts'
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
    else go('/keys', 'The key is revoked.')
  }

  function question(loaded: LoadedKey): TemplateResult {
    const { apiKey, isOwn } = loaded
    if (stateOf(apiKey, new Date()) === 'revoked') {
      return html`<p>This key was revoked ${showTime(apiKey.revokedAt, '')}. <a href=${link('/keys')}>To the list of keys</a></p>`
    }
    return html`
      ${revoking.view()}
      <p>Whoever uses <b><bdi>${apiKey.name}</bdi></b> is refused from then on, everywhere within 5 seconds. This is for good: it can’t be undone.</p>
      <p>Last used: ${showTime(apiKey.lastUsedAt, 'not yet')}</p>
      ${isOwn ? html`<p class="problem">You are signed in with this key: revoking it signs you out, and you need another to sign in again.</p>` : ''}
      <div class="form-end">
        <button type="button" class="danger" ?disabled=${revoking.isRunning()} @click=${() => revoking.run(() => revoke(loaded))}>${revoking.isRunning() ? 'Revoking…' : html`Revoke <bdi>${apiKey.name}</bdi>`}</button>
        <a class="button" href=${link(`/keys/${apiKey.id}`)}>Cancel</a>
      </div>
    `
  }

  return { title: () => `Revoke ${key.value()?.apiKey.name ?? 'key'}`, view: () => showLoaded(key, question) }
}
