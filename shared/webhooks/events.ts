/** Where a webhook delivers, and what. */
export interface WebhookFields {
  readonly url: string
  /** The types of events that it receives; empty: all, including those that later versions add. */
  readonly types: readonly string[]
  readonly description: string
}

/** Why a webhook is paused: by a user, because its receiver answered 410, or because deliveries failed for days. */
export type PausedReason = 'manual' | 'gone' | 'failing'

/** An event of one webhook, named by its id, a lower-case UUID. */
interface WebhookEventOf<What extends string, Data = unknown> {
  readonly type: `Webhook${What}.v1`
  readonly data: { readonly id: string } & Readonly<Data>
}

/** A webhook was created. Secrets are sealed in all events (see createSealing). */
export type WebhookCreated = WebhookEventOf<'Created', WebhookFields & { secret: string; after: string }>

/** A test event is to be sent. */
export type WebhookTested = WebhookEventOf<'Tested', { eventId: string }>

export type WebhookEvent =
  | WebhookCreated
  /** Holds only the fields whose values changed. */
  | WebhookEventOf<'Edited', Partial<WebhookFields>>
  | WebhookEventOf<'Paused', { reason: PausedReason }>
  | WebhookEventOf<'Resumed'>
  /** It got a new secret; the previous one also signs until `previousUntil`, in milliseconds since the epoch. */
  | WebhookEventOf<'Rotated', { secret: string; previousUntil: number }>
  | WebhookTested
  /** Every event since a time, in milliseconds since the epoch, is to be sent again. */
  | WebhookEventOf<'Replayed', { since: number }>
  | WebhookEventOf<'Deleted'>
