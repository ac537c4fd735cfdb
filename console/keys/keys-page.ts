import { html, type TemplateResult } from 'lit-html'
import { showLoaded } from '../frame/loader.ts'
import type { Page, PageContext } from '../frame/page.ts'
import { text } from '../languages/texts.ts'
import { openPaged, type Paged, type Rows, showPaged } from '../lists/paged.ts'
import { type Column, showTable } from '../lists/table.ts'
import type { ApiKey } from './api-key.ts'
import { showKind, showScopes, showState, showTime } from './show-key.ts'

/** The list of API keys. */
export function keysPage(context: PageContext): Page {
  const { api, link, ownKeyId } = context
  const keys = openPaged<Rows<ApiKey>>(context, async (query, signal) => {
    const { apiKeys: rows, total } = await api.get('api-keys', { query, signal })
    return { rows, total }
  })

  function list({ rows, range }: Paged<Rows<ApiKey>>): TemplateResult {
    if (range.total === 0) return html`<p>${text('keys.noneStored')}</p>`
    return showPaged(range, showTable({ caption: text('keys.caption'), kind: 'keys', columns, rows }), context)
  }

  const columns: readonly Column<ApiKey>[] = [
    [
      text('field.name'),
      ({ id, kind, name }) => html`<a href=${link(`/keys/${id}`)}><bdi>${name}</bdi></a> ${showKind(kind)}`,
    ],
    [text('word.state'), (apiKey) => html`<span>${showState(apiKey, apiKey.id === ownKeyId())}</span>`],
    [text('keys.scopes'), ({ scopes }) => showScopes(scopes)],
    [text('field.createdAt'), ({ createdAt }) => showTime(createdAt, '')],
    [text('keys.expires'), ({ expiresAt }) => showTime(expiresAt, text('keys.never'))],
    [text('keys.lastUsed'), ({ lastUsedAt }) => showTime(lastUsedAt, text('word.notYet'))],
  ]

  return {
    title: () => text('keys.title'),
    view: () => showLoaded(keys, list),
    actions: () => html`<a class="button primary" href=${link('/keys/new')}>${text('keys.newKey')}</a>`,
    queryChanged: () => void keys.load(),
  }
}
