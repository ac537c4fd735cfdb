import { accepted, changedFields, type Decision, rejected } from '../event-sourcing/decider.ts'
import type { PausedReason, WebhookCreated, WebhookEvent, WebhookFields } from './events.ts'
import { NO_WEBHOOKS, type Webhook, type Webhooks } from './evolve.ts'

export const MAX_WEBHOOKS = 100

/** What an edit sets; absent fields stay. */
export interface WebhookChanges extends Partial<WebhookFields> {
  /** true: by a user. */
  readonly paused?: boolean | PausedReason | undefined
}

export type WebhookCommand =
  | { readonly type: 'create'; readonly data: WebhookCreated['data'] }
  | { readonly type: 'edit'; readonly id: string; readonly changes: WebhookChanges }
  /** Records an event that any webhook can have: it is rotated, tested, replayed or deleted. */
  | { readonly type: 'record'; readonly id: string; readonly event: WebhookEvent }

export interface WebhookRejection {
  readonly type: 'not-found' | 'too-many'
}

type WebhookDecision = Decision<WebhookEvent, WebhookRejection>

/** Decides a command on one of the webhooks. The same values change nothing. */
export function decide(webhooks: Webhooks = NO_WEBHOOKS, command: WebhookCommand): WebhookDecision {
  if (command.type === 'create') {
    if (webhooks.length >= MAX_WEBHOOKS) return rejected({ type: 'too-many' })
    return accepted({ type: 'WebhookCreated.v1', data: command.data })
  }
  const webhook = webhooks.find(({ id }) => id === command.id)
  if (webhook === undefined) return rejected({ type: 'not-found' })
  return command.type === 'record' ? accepted(command.event) : edit(webhook, command.changes)
}

/** The first reason for a pause stays. */
function edit(
  { id, pausedReason, ...webhook }: Webhook,
  { paused, types, ...changes }: WebhookChanges,
): WebhookDecision {
  const isOther = types !== undefined && types.join() !== webhook.types.join()
  const data = { ...changedFields<Partial<WebhookFields>>(webhook, changes), ...(isOther && { types }) }
  const edited: WebhookEvent[] =
    Object.keys(data).length === 0 ? [] : [{ type: 'WebhookEdited.v1', data: { id, ...data } }]
  if (paused === false && pausedReason !== null) edited.push({ type: 'WebhookResumed.v1', data: { id } })
  if (paused && pausedReason === null) {
    edited.push({ type: 'WebhookPaused.v1', data: { id, reason: paused === true ? 'manual' : paused } })
  }
  return accepted(...edited)
}
