import { isUncertain } from '../api/problem.ts'
import type { Page, PageContext } from '../frame/page.ts'
import { createIssuedKey } from '../keys/secret.ts'
import { text } from '../languages/texts.ts'
import { webhookForm } from './webhook.ts'

/** The page that creates a webhook, and then shows its key. */
export function newWebhookPage(context: PageContext): Page {
  const { api, link, go } = context
  const issued = createIssuedKey(context, 'webhooks')
  let done = ''
  const form = webhookForm(context, create)

  async function create(body: object): Promise<void> {
    try {
      const { id, url: name, secret: key } = (await api.request('POST', 'webhooks', { body })).body
      done = link(`/webhooks/${id}`)
      issued.show({ key, name }, text('webhooks.createdNow'))
    } catch (error) {
      if (!isUncertain(error)) throw error
      // Sent again, it could make a second one.
      go('/webhooks', text('webhooks.uncertain'))
    }
  }

  return {
    title: () => text(issued.isShown() ? 'keys.copyTitle' : 'webhooks.new'),
    view: () => (issued.isShown() ? issued.view(done) : form.view()),
    hasUnsavedInput: () => issued.question() || form.hasUnsavedInput(),
  }
}
