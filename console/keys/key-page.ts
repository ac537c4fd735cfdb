import { html, nothing, type TemplateResult } from 'lit-html'
import { showLoaded } from '../frame/loader.ts'
import type { Page, PageContext } from '../frame/page.ts'
import { text } from '../languages/texts.ts'
import { stateOf } from './api-key.ts'
import { type LoadedKey, loadKey } from './load-key.ts'
import { scopeMeanings } from './scope-choices.ts'
import { showKind, showState, showTime } from './show-key.ts'

/** One API key. */
export function keyPage(context: PageContext): Page {
  const { document, link } = context
  const key = loadKey(context)
  const meanings = scopeMeanings(document)

  function details({ apiKey, isOwn }: LoadedKey): TemplateResult {
    return html`
      <dl class="fields">
        <div><dt>${text('keys.state')}</dt><dd>${showState(apiKey, isOwn)} ${showKind(apiKey.kind)}</dd></div>
        <div><dt>${text('keys.created')}</dt><dd>${showTime(apiKey.createdAt, '')}</dd></div>
        <div><dt>${text('keys.expires')}</dt><dd>${showTime(apiKey.expiresAt, text('keys.never'))}</dd></div>
        <div><dt>${text('keys.lastUsed')}</dt><dd>${showTime(apiKey.lastUsedAt, text('keys.notYet'))}</dd></div>
        ${apiKey.revokedAt === null ? nothing : html`<div><dt>${text('keys.revoked')}</dt><dd>${showTime(apiKey.revokedAt, '')}</dd></div>`}
        <div><dt>${text('keys.id')}</dt><dd><code>${apiKey.principal}</code></dd></div>
      </dl>
      <h2>${text('keys.mayDo')}</h2>
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
      ${isActive && apiKey.kind === 'program' ? html`<a class="button" href=${link(`/keys/${apiKey.id}/rotate`)}>${text('keys.rotate')}</a>` : nothing}
      <a class="button" href=${link(`/keys/${apiKey.id}/revoke`)}>${text('keys.revoke')}</a>
    `
  }

  return { title: () => key.value()?.apiKey.name ?? text('keys.key'), view: () => showLoaded(key, details), actions }
}
