import type { Timed } from '../../shared/event-sourcing/event.ts'
import { formatTimestamp } from '../../shared/fields/timestamp.ts'
import type { WebhookTested } from '../../shared/webhooks/events.ts'
import type { Entry } from './queue.ts'

export const TEST_TYPE = 'mint.webhook.test.v1'

/** The event that tests a webhook; it is in no feed. */
export function testEvent(webhookId: string, { data: { eventId: id }, at }: Timed<WebhookTested>): Entry {
  const source = 'mint/webhooks'
  const event = { specversion: '1.0', id, source, type: TEST_TYPE, subject: webhookId, time: formatTimestamp(at) }
  const body = JSON.stringify({ ...event, datacontenttype: 'application/json', data: {} })
  return { id, type: TEST_TYPE, subject: webhookId, record: id, time: at, attempt: 0, dueAt: at, body }
}
