import { html, nothing, type TemplateResult } from 'lit-html'
import { openLoader, showLoaded } from '../frame/loader.ts'
import type { Page, PageContext } from '../frame/page.ts'
import { text } from '../languages/texts.ts'
import { offsetOf, type Range, rangeText, sizeOf } from '../lists/paging.ts'
import { showPaging } from '../lists/show-paging.ts'
import { type Column, showTable } from '../lists/table.ts'
import type { ApiKey } from './api-key.ts'
import { showKind, showScopes, showState, showTime } from './show-key.ts'

interface ListedKeys {
  readonly apiKeys: readonly ApiKey[]
  readonly range: Range
}

/** The list of API keys. */
export function keysPage(context: PageContext): Page {
  const { api, query, announce, link, ownKeyId } = context
  const keys = openLoader<ListedKeys>(async (signal) => {
    const offset = offsetOf(query().offset)
    const { apiKeys, total } = await api.get('api-keys', { query: { limit: sizeOf(query().rows), offset }, signal })
    const range = { offset, shown: apiKeys.length, total }
    announce(rangeText(range))
    return { apiKeys, range }
  }, context)

  function list({ apiKeys, range }: ListedKeys): TemplateResult {
    return html`
      ${range.total === 0 ? html`<p>${text('keys.noneStored')}</p>` : html`<p class="range">${rangeText(range)}</p>`}
      ${apiKeys.length === 0 ? nothing : showTable({ caption: text('keys.caption'), kind: 'keys', columns, rows: apiKeys })}
      ${showPaging(range, context)}
    `
  }

  const columns: readonly Column<ApiKey>[] = [
    [
      text('field.name'),
      ({ id, kind, name }) => html`<a href=${link(`/keys/${id}`)}><bdi>${name}</bdi></a> ${showKind(kind)}`,
    ],
    [text('keys.state'), (apiKey) => html`<span>${showState(apiKey, apiKey.id === ownKeyId())}</span>`],
    [text('keys.scopes'), ({ scopes }) => showScopes(scopes)],
    [text('field.createdAt'), ({ createdAt }) => showTime(createdAt, '')],
    [text('keys.expires'), ({ expiresAt }) => showTime(expiresAt, text('keys.never'))],
    [text('keys.lastUsed'), ({ lastUsedAt }) => showTime(lastUsedAt, text('keys.notYet'))],
  ]

  return {
    title: () => text('keys.title'),
    view: () => showLoaded(keys, list),
    actions: () => html`<a class="button primary" href=${link('/keys/new')}>${text('keys.newKey')}</a>`,
    queryChanged: () => void keys.load(),
  }
}
