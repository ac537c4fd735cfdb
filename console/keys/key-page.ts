import { html, nothing, type TemplateResult } from 'lit-html'
import { showLoaded } from '../frame/loader.ts'
import type { Page, PageContext } from '../frame/page.ts'
import { stateOf } from './api-key.ts'
import { type LoadedKey, loadKey } from './load-key.ts'
import { scopeMeanings } from './scope-choices.ts'
import { showState, showTime } from './show-key.ts'

/** One API key. */
export function keyPage(context: PageContext): Page {
  const { document, link } = context
  const key = loadKey(context)
  const meanings = scopeMeanings(document)

  function details({ apiKey, isOwn }: LoadedKey): TemplateResult {
    return html`
      <dl class="fields">
        <div><dt>State</dt><dd>${showState(apiKey, isOwn)}</dd></div>
        <div><dt>Created</dt><dd>${showTime(apiKey.createdAt, '')}</dd></div>
        <div><dt>Expires</dt><dd>${showTime(apiKey.expiresAt, 'never')}</dd></div>
        <div><dt>Last used</dt><dd>${showTime(apiKey.lastUsedAt, 'not yet')}</dd></div>
        ${apiKey.revokedAt === null ? nothing : html`<div><dt>Revoked</dt><dd>${showTime(apiKey.revokedAt, '')}</dd></div>`}
        <div><dt>ID, as in the history of records</dt><dd><code>${apiKey.id}</code></dd></div>
      </dl>
      <h2>What it may do</h2>
      <dl class="meanings">
        ${apiKey.scopes.map((scope) => html`<div><dt><code>${scope}</code></dt><dd>${meanings[scope] ?? ''}</dd></div>`)}
      </dl>
    `
  }

  function actions(): TemplateResult {
    const { apiKey } = key.value() ?? {}
    if (!apiKey || stateOf(apiKey, new Date()) === 'revoked') return html`${nothing}`
    const isActive = stateOf(apiKey, new Date()) === 'active'
    return html`
      ${isActive ? html`<a class="button" href=${link(`/keys/${apiKey.id}/rotate`)}>Rotate</a>` : nothing}
      <a class="button" href=${link(`/keys/${apiKey.id}/revoke`)}>Revoke</a>
    `
  }

  return { title: () => key.value()?.apiKey.name ?? 'Key', view: () => showLoaded(key, details), actions }
}
