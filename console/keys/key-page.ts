import { html, nothing, type TemplateResult } from 'lit-html'
import { openLoader, showLoaded } from '../frame/loader.ts'
import type { Page, PageContext } from '../frame/page.ts'
import { createSending } from '../frame/sending.ts'
import { text, textIfAny } from '../languages/texts.ts'
import { type ApiKey, stateOf } from './api-key.ts'
import { createIssuedKey, secretLost, showGrace } from './secret.ts'
import { showKind, showState, showTime } from './show-key.ts'

/** One API key, which can be given a new secret or revoked permanently. */
export function keyPage(context: PageContext): Page {
  const { api, document, id, ownKeyId, go, link, useKey } = context
  const path = `api-keys/${encodeURIComponent(id)}`
  const key = openLoader<ApiKey>((signal) => api.get(path, { signal }), context)
  const [rotating, revoking] = [createSending(context), createSending(context)]
  let graceSeconds = 86_400
  const issued = createIssuedKey(context)

  const isOwn = ({ id }: ApiKey): boolean => id === ownKeyId()
  const isBusy = (): boolean => rotating.isRunning() || revoking.isRunning()

  async function rotate(apiKey: ApiKey): Promise<void> {
    await rotating.run(async () => {
      const request = api.request('POST', `${path}/rotate`, { body: { graceSeconds } })
      const { body } = await request.catch(secretLost('keys'))
      if (isOwn(apiKey)) useKey(body.key)
      issued.show(body, text('keys.rotatedNow'))
    })
  }

  async function revoke(apiKey: ApiKey): Promise<void> {
    const question = text('keys.revokeQuestion', { name: apiKey.name })
    if (!confirm(isOwn(apiKey) ? `${question}\n\n${text('keys.revokesOwn')}` : question)) return
    await revoking.run(async () => {
      await api.request('DELETE', path)
      if (isOwn(apiKey)) useKey(undefined)
      else go('/keys', text('keys.revokedNow'))
    })
  }

  function show(apiKey: ApiKey): TemplateResult {
    const { kind, principal, scopes, createdAt, expiresAt, lastUsedAt, revokedAt } = apiKey
    return html`
      ${revoking.view()}
      <dl class="fields">
        <div><dt>${text('word.state')}</dt><dd>${showState(apiKey, isOwn(apiKey))} ${showKind(kind)}</dd></div>
        <div><dt>${text('field.createdAt')}</dt><dd>${showTime(createdAt, '')}</dd></div>
        <div><dt>${text('keys.expires')}</dt><dd>${showTime(expiresAt, text('keys.never'))}</dd></div>
        <div><dt>${text('keys.lastUsed')}</dt><dd>${showTime(lastUsedAt, text('word.notYet'))}</dd></div>
        ${revokedAt === null ? nothing : html`<div><dt>${text('keys.state.revoked')}</dt><dd>${showTime(revokedAt, '')}</dd></div>`}
        <div><dt>${text('keys.id')}</dt><dd><code>${principal}</code></dd></div>
      </dl>
      <h2>${text('field.scopes')}</h2>
      <dl class="meanings">
        ${scopes.map((scope) => html`<div><dt><code>${scope}</code></dt><dd>${textIfAny(`scope.${scope}`)}</dd></div>`)}
      </dl>
      ${kind === 'program' && stateOf(apiKey, new Date()) === 'active' ? rotation(apiKey) : nothing}
    `
  }

  function rotation(apiKey: ApiKey): TemplateResult {
    return html`<section class="key-action" aria-labelledby="rotation">
      <h2 id="rotation">${text('keys.newKey')}</h2>
      ${rotating.view()}
      <p>${text('keys.rotateMeans')} ${isOwn(apiKey) ? text('keys.rotatesOwn') : nothing}</p>
      ${showGrace(document, graceSeconds, (chosen) => (graceSeconds = chosen))}
      <p><button type="button" ?disabled=${isBusy()} @click=${() => rotate(apiKey)}>${text('keys.rotateKey')}</button></p>
    </section>`
  }

  function actions(): TemplateResult {
    const apiKey = key.value()
    if (issued.isShown() || !apiKey || stateOf(apiKey, new Date()) === 'revoked') return html``
    return html`<button type="button" class="danger" ?disabled=${isBusy()} @click=${() => revoke(apiKey)}>${text('keys.revoke')}</button>`
  }

  return {
    title: () => (issued.isShown() ? text('keys.copyTitle') : (key.value()?.name ?? text('keys.key'))),
    view: () => (issued.isShown() ? issued.view(link('/keys')) : showLoaded(key, show)),
    actions,
    hasUnsavedInput: () => issued.question() || rotating.isRunning(),
  }
}
