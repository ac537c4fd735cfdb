import type { Timed } from '../event-sourcing/event.ts'
import type { PausedReason, WebhookEvent, WebhookFields } from './events.ts'

/** A webhook's current state; times in milliseconds since the epoch. */
export interface Webhook extends WebhookFields {
  readonly id: string
  /** null: it is not paused. */
  readonly pausedReason: PausedReason | null
  /** The current secret, then the previous one, if any. */
  readonly secrets: readonly SealedSecret[]
  /** The feed's cursor when it was created; it receives the events after that. */
  readonly after: string
  readonly createdAt: number
  readonly updatedAt: number
}

export interface SealedSecret {
  readonly sealed: string
  /** When it stops signing; null: it is the current one. */
  readonly until: number | null
}

/** All webhooks, newest first. They are one aggregate because their number is limited. */
export type Webhooks = readonly Webhook[]

export const NO_WEBHOOKS: Webhooks = []

/** Applies one event. Throws when it is about an unknown webhook, which means that the log is damaged. */
export function evolve(webhooks: Webhooks = NO_WEBHOOKS, event: Timed<WebhookEvent>): Webhooks {
  const { id } = event.data
  if (event.type === 'WebhookCreated.v1') return [created(event), ...webhooks]
  if (!webhooks.some((webhook) => webhook.id === id)) throw new Error(`There is no webhook ${id} to be changed.`)
  if (event.type === 'WebhookDeleted.v1') return webhooks.filter((webhook) => webhook.id !== id)
  return webhooks.map((webhook) => (webhook.id === id ? changed(webhook, event) : webhook))
}

export function created({
  data: { secret, ...data },
  at,
}: Timed<Extract<WebhookEvent, { type: 'WebhookCreated.v1' }>>): Webhook {
  return { ...data, secrets: [{ sealed: secret, until: null }], pausedReason: null, createdAt: at, updatedAt: at }
}

export function changed(webhook: Webhook, event: Timed<WebhookEvent>): Webhook {
  const updatedAt = event.at
  switch (event.type) {
    case 'WebhookEdited.v1':
      return { ...webhook, ...event.data, updatedAt }
    case 'WebhookPaused.v1':
      return { ...webhook, pausedReason: event.data.reason, updatedAt }
    case 'WebhookResumed.v1':
      return { ...webhook, pausedReason: null, updatedAt }
    case 'WebhookRotated.v1': {
      const { secret, previousUntil } = event.data
      const previous = webhook.secrets.slice(0, 1).map(({ sealed }) => ({ sealed, until: previousUntil }))
      return { ...webhook, secrets: [{ sealed: secret, until: null }, ...previous], updatedAt }
    }
    default:
      return webhook
  }
}
