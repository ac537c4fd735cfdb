import { apiKeyViews } from '../api-keys/view.ts'
import type { StreamName } from '../event-sourcing/event.ts'
import type { AnyViewDefinition, ViewDefinition } from '../event-sourcing/ports/view.ts'
import { createEventReader, foldWith } from '../event-sourcing/upcasting.ts'
import type { WebhookEvent } from './events.ts'
import { changed, created, evolve, NO_WEBHOOKS, type Webhooks } from './evolve.ts'

/** Reads an event of webhooks, of any age, in its current shape. */
export const readWebhookEvent = createEventReader<WebhookEvent>({
  'WebhookCreated.v1': true,
  'WebhookEdited.v1': true,
  'WebhookPaused.v1': true,
  'WebhookResumed.v1': true,
  'WebhookRotated.v1': true,
  'WebhookTested.v1': true,
  'WebhookReplayed.v1': true,
  'WebhookDeleted.v1': true,
})

/** The only stream of webhooks. */
export const WEBHOOKS: StreamName = { category: 'webhooks', id: 'webhooks' }

/** A single row. */
export const webhooksView: ViewDefinition<Webhooks> = {
  name: 'webhooks',
  category: WEBHOOKS.category,
  idOrder: 'text',
  initial: NO_WEBHOOKS,
  createdAt: () => 0,
  filters: {},
  searchTexts: [],
  fold: foldWith(readWebhookEvent, evolve, [NO_WEBHOOKS, created, changed]),
}

/** The views that the gateway's database is opened with. */
export const gatewayViews: readonly AnyViewDefinition[] = [...apiKeyViews, webhooksView]
