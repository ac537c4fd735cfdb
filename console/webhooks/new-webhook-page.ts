import { isUncertain } from '../api/problem.ts'
import { focusSoon } from '../frame/focus.ts'
import type { Page, PageContext } from '../frame/page.ts'
import { showIssuedKey } from '../keys/secret.ts'
import { text } from '../languages/texts.ts'
import { webhookForm } from './webhook.ts'

/** The page that creates a webhook, and then shows its key. */
export function newWebhookPage(context: PageContext): Page {
  const { api, link, go, announce } = context
  let issued: { readonly id: string; readonly url: string; readonly secret: string } | undefined
  const form = webhookForm(context, create)

  async function create(body: object): Promise<void> {
    try {
      issued = (await api.request('POST', 'webhooks', { body })).body
    } catch (error) {
      if (!isUncertain(error)) throw error
      // Sent again, it could make a second one.
      return go('/webhooks', text('webhooks.uncertain'))
    }
    announce(text('webhooks.createdNow'))
    focusSoon('#issued-key')
  }

  return {
    title: () => text(issued ? 'keys.copyTitle' : 'webhooks.new'),
    view: () =>
      issued
        ? showIssuedKey(
            { key: issued.secret, name: issued.url },
            { announce, done: link(`/webhooks/${issued.id}`), of: 'webhooks' },
          )
        : form.view(),
    hasUnsavedInput: form.hasUnsavedInput,
  }
}
