import { html, nothing, type TemplateResult } from 'lit-html'
import { createLoader, showLoaded } from '../frame/loader.ts'
import type { Page, PageContext } from '../frame/page.ts'
import { offsetOf, PAGE_SIZE, rangeText } from '../lists/paging.ts'
import { showPaging } from '../lists/show-paging.ts'
import type { ApiKey } from './api-key.ts'
import { showDay, showScopes, showState } from './show-key.ts'

interface ListedKeys {
  readonly apiKeys: readonly ApiKey[]
  readonly total: number
  readonly offset: number
}

/** The list of API keys. */
export function keysPage({ api, query, signal, update, announce, link, ownKeyId }: PageContext): Page {
  const keys = createLoader<ListedKeys>(
    async (signal) => {
      const offset = offsetOf(query().offset)
      const { apiKeys, total } = (await api.get('api-keys', { query: { limit: PAGE_SIZE, offset }, signal })).body
      announce(rangeText({ offset, shown: apiKeys.length, total }, navigator.languages))
      return { apiKeys, total, offset }
    },
    { signal, update },
  )
  void keys.load()

  function list({ apiKeys, total, offset }: ListedKeys): TemplateResult {
    const range = { offset, shown: apiKeys.length, total }
    return html`
      ${total === 0 ? html`<p>No key is stored. You are signed in with the one from <code>MINT_API_KEY</code>.</p>` : html`<p class="range">${rangeText(range, navigator.languages)}</p>`}
      ${apiKeys.length === 0 ? nothing : table(apiKeys)}
      ${showPaging(range, (to) => link('/keys', { offset: to === 0 ? undefined : String(to) }))}
    `
  }

  function table(apiKeys: readonly ApiKey[]): TemplateResult {
    return html`<div class="table-box">
      <table class="records keys">
        <caption class="visually-hidden">API keys, newest first</caption>
        <thead><tr>
          <th scope="col">Name</th><th scope="col">State</th><th scope="col">Scopes</th>
          <th scope="col">Created</th><th scope="col">Expires</th><th scope="col">Last used</th>
        </tr></thead>
        <tbody>${apiKeys.map((apiKey) => row(apiKey, apiKey.id === ownKeyId()))}</tbody>
      </table>
    </div>`
  }

  function row(apiKey: ApiKey, isOwn: boolean): TemplateResult {
    return html`<tr>
      <th scope="row" data-label="Name"><a href=${link(`/keys/${apiKey.id}`)}><bdi>${apiKey.name}</bdi></a></th>
      <td data-label="State"><span>${showState(apiKey, isOwn)}</span></td>
      <td data-label="Scopes">${showScopes(apiKey.scopes)}</td>
      <td data-label="Created">${showDay(apiKey.createdAt, '')}</td>
      <td data-label="Expires">${showDay(apiKey.expiresAt, 'never')}</td>
      <td data-label="Last used">${showDay(apiKey.lastUsedAt, 'not yet')}</td>
    </tr>`
  }

  return {
    title: () => 'Keys',
    view: () => showLoaded(keys, list),
    actions: () => html`<a class="button primary" href=${link('/keys/new')}>New key</a>`,
    queryChanged: () => void keys.load(),
  }
}
