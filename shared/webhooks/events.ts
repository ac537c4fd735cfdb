/** Where a webhook delivers, and what. */
export interface WebhookFields {
  readonly url: string
  /** The types of events that it gets; none: all, also those of a later version. */
  readonly types: readonly string[]
  readonly description: string
}

/** Why a webhook is paused: by somebody, its receiver answered 410, or for days nothing arrived. */
export type PausedReason = 'manual' | 'gone' | 'failing'

/** Something that happened to the webhook of this id, a UUID in lower case. */
interface Happened<What extends string, Data = unknown> {
  readonly type: `Webhook${What}.v1`
  readonly data: { readonly id: string } & Readonly<Data>
}

/** A webhook was created. Secrets are sealed in all events (see createSealing). */
export type WebhookCreated = Happened<'Created', WebhookFields & { secret: string; after: string }>

/** A test event is to be sent to it. */
export type WebhookTested = Happened<'Tested', { eventId: string }>

export type WebhookEvent =
  | WebhookCreated
  /** Some fields were set to other values: only those are here. */
  | Happened<'Edited', Partial<WebhookFields>>
  | Happened<'Paused', { reason: PausedReason }>
  | Happened<'Resumed'>
  /** It got a new secret; the one before still signs until a time, in milliseconds since the epoch. */
  | Happened<'Rotated', { secret: string; previousUntil: number }>
  | WebhookTested
  /** Every event since a time, in milliseconds since the epoch, is to be sent to it again. */
  | Happened<'Replayed', { since: number }>
  | Happened<'Deleted'>
