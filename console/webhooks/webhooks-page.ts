import { html, type TemplateResult } from 'lit-html'
import { recordFields } from '../fields/fields.ts'
import { showValue } from '../fields/show.ts'
import { decimals } from '../format/formats.ts'
import { openLoader, showLoaded } from '../frame/loader.ts'
import type { Page, PageContext } from '../frame/page.ts'
import { showTime } from '../keys/show-key.ts'
import { text } from '../languages/texts.ts'
import { type Column, showTable } from '../lists/table.ts'
import { showState, type Webhook } from './webhook.ts'

/** The list of webhooks. */
export function webhooksPage(context: PageContext): Page {
  const { api, document, link } = context
  const loader = openLoader<readonly Webhook[]>(
    async (signal) => (await api.get('webhooks', { signal })).webhooks,
    context,
  )
  const [types] = recordFields(document, 'Webhook', 'WebhookCreation').filter(({ name }) => name === 'types')

  const columns: readonly Column<Webhook>[] = [
    [text('field.url'), ({ id, url }) => html`<a href=${link(`/webhooks/${id}`)}><bdi>${url}</bdi></a>`],
    [text('field.description'), ({ description }) => html`<bdi>${description}</bdi>`],
    [text('field.types'), (webhook) => types && showValue(types, webhook.types, { link })],
    [text('word.state'), showState],
    [text('webhooks.waiting'), ({ waiting }) => decimals.plain(waiting), 'decimal'],
    [text('webhooks.lastDelivered'), ({ lastDeliveredAt }) => showTime(lastDeliveredAt, text('word.notYet'))],
  ]

  function list(webhooks: readonly Webhook[]): TemplateResult {
    if (webhooks.length === 0) return html`<p>${text('webhooks.none')}</p>`
    return showTable({ caption: text('webhooks.title'), kind: 'keys', columns, rows: webhooks })
  }

  return {
    title: () => text('webhooks.title'),
    view: () => html`<p>${text('webhooks.explained')}</p>${showLoaded(loader, list)}`,
    actions: () => html`<a class="button primary" href=${link('/webhooks/new')}>${text('webhooks.new')}</a>`,
  }
}
