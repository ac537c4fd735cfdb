/** Where a webhook delivers, and what. */
export interface WebhookFields {
  readonly url: string
  /** The types of events that it gets; none: all, also those of a later version. */
  readonly types: readonly string[]
  readonly description: string
}

/** Why a webhook is paused: by somebody, its receiver answered 410, or for days nothing arrived. */
export type PausedReason = 'manual' | 'gone' | 'failing'

/** Names the webhook that an event is about. */
interface Named {
  /** UUID, lower case. */
  readonly id: string
}

/** A webhook was created. Secrets are sealed in all events (see createSealing). */
export interface WebhookCreated {
  readonly type: 'WebhookCreated.v1'
  readonly data: Named & WebhookFields & { readonly secret: string; readonly after: string }
}

/** Some fields were set to other values: only those are here. */
export interface WebhookEdited {
  readonly type: 'WebhookEdited.v1'
  readonly data: Named & Partial<WebhookFields>
}

export interface WebhookPaused {
  readonly type: 'WebhookPaused.v1'
  readonly data: Named & { readonly reason: PausedReason }
}

export interface WebhookResumed {
  readonly type: 'WebhookResumed.v1'
  readonly data: Named
}

/** A webhook got a new secret; the one before still signs until a time, in milliseconds since the epoch. */
export interface WebhookRotated {
  readonly type: 'WebhookRotated.v1'
  readonly data: Named & { readonly secret: string; readonly previousUntil: number }
}

/** A test event is to be sent to it. */
export interface WebhookTested {
  readonly type: 'WebhookTested.v1'
  readonly data: Named & { readonly eventId: string }
}

/** Every event since a time, in milliseconds since the epoch, is to be sent to it again. */
export interface WebhookReplayed {
  readonly type: 'WebhookReplayed.v1'
  readonly data: Named & { readonly since: number }
}

export interface WebhookDeleted {
  readonly type: 'WebhookDeleted.v1'
  readonly data: Named
}

export type WebhookEvent =
  | WebhookCreated
  | WebhookEdited
  | WebhookPaused
  | WebhookResumed
  | WebhookRotated
  | WebhookTested
  | WebhookReplayed
  | WebhookDeleted
