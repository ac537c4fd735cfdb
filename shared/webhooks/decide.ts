import { accepted, changedFields, type Decision, rejected } from '../event-sourcing/decider.ts'
import type { PausedReason, WebhookCreated, WebhookEvent, WebhookFields } from './events.ts'
import { NO_WEBHOOKS, type Webhook, type Webhooks } from './evolve.ts'

export const MAX_WEBHOOKS = 100

/** What an edit sets; absent fields stay. */
export interface WebhookChanges extends Partial<WebhookFields> {
  readonly paused?: boolean | undefined
}

interface Named {
  readonly id: string
}

export type WebhookCommand =
  | { readonly type: 'create'; readonly data: WebhookCreated['data'] }
  | (Named & { readonly type: 'edit'; readonly changes: WebhookChanges })
  | (Named & { readonly type: 'pause'; readonly reason: PausedReason })
  | (Named & { readonly type: 'rotate'; readonly secret: string; readonly previousUntil: number })
  | (Named & { readonly type: 'test'; readonly eventId: string })
  | (Named & { readonly type: 'replay'; readonly since: number })
  | (Named & { readonly type: 'delete' })

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
  return webhook === undefined ? rejected({ type: 'not-found' }) : change(webhook, command)
}

function change(webhook: Webhook, command: Exclude<WebhookCommand, { type: 'create' }>): WebhookDecision {
  const { id } = webhook
  switch (command.type) {
    case 'edit':
      return edit(webhook, command.changes)
    case 'pause':
      return pause(webhook, command.reason)
    case 'rotate': {
      const { secret, previousUntil } = command
      return accepted({ type: 'WebhookRotated.v1', data: { id, secret, previousUntil } })
    }
    case 'test':
      return accepted({ type: 'WebhookTested.v1', data: { id, eventId: command.eventId } })
    case 'replay':
      return accepted({ type: 'WebhookReplayed.v1', data: { id, since: command.since } })
    case 'delete':
      return accepted({ type: 'WebhookDeleted.v1', data: { id } })
  }
}

function edit(webhook: Webhook, { paused, types, ...changes }: WebhookChanges): WebhookDecision {
  const { id } = webhook
  const isOther = types !== undefined && types.join() !== webhook.types.join()
  const data = { ...changedFields<Partial<WebhookFields>>(webhook, changes), ...(isOther && { types }) }
  const edited: WebhookEvent[] =
    Object.keys(data).length === 0 ? [] : [{ type: 'WebhookEdited.v1', data: { id, ...data } }]
  if (paused === false && webhook.pausedReason !== null) edited.push({ type: 'WebhookResumed.v1', data: { id } })
  if (paused === true && webhook.pausedReason === null)
    edited.push({ type: 'WebhookPaused.v1', data: { id, reason: 'manual' } })
  return accepted(...edited)
}

/** The first reason stays. */
function pause({ id, pausedReason }: Webhook, reason: PausedReason): WebhookDecision {
  return pausedReason === null ? accepted({ type: 'WebhookPaused.v1', data: { id, reason } }) : accepted()
}
