import { encodeCursors } from '../../gateway/events/feed-cursor.ts'
import { deliveryRecord, webhookRecord } from '../../gateway/records/webhook-record.ts'
import { newUuid } from '../../shared/calls/ids.ts'
import type { Database } from '../../shared/event-sourcing/ports/database.ts'
import { cursorAt } from '../../shared/events/cursor.ts'
import { createWebhookAdministration, type WebhookAdministration } from '../../shared/webhooks/administration.ts'
import type { WebhookChanges } from '../../shared/webhooks/decide.ts'
import type { WebhookFields } from '../../shared/webhooks/events.ts'
import { cliContext, type Parts } from './parts.ts'

/** A webhook as it is printed: as over REST, with the secret only when it was just made, and never again. */
export type ListedWebhook = ReturnType<typeof webhookRecord> & { readonly secret?: string }

interface Named {
  readonly id: string
}

/** Every webhook, newest first. */
export async function* listWebhooks(parts: Parts, _input: object): AsyncGenerator<ListedWebhook> {
  for (const webhook of await administrationOf(parts).list()) yield webhookRecord(webhook)
}

export async function* showWebhook(parts: Parts, { id }: Named): AsyncGenerator<ListedWebhook> {
  yield webhookRecord(await administrationOf(parts).find(id))
}

/** Creates a webhook; the item has its secret, this once. */
export async function* createWebhook(parts: Parts, input: WebhookFields): AsyncGenerator<ListedWebhook> {
  const { webhook, secret } = await administrationOf(parts).create(input, cliContext())
  yield { ...webhookRecord(webhook), secret }
}

/** Edits, pauses or resumes a webhook. */
export async function* editWebhook(
  parts: Parts,
  { id, changes }: Named & { readonly changes: WebhookChanges },
): AsyncGenerator<ListedWebhook> {
  yield webhookRecord(await administrationOf(parts).change(id, changes, cliContext()))
}

/** Gives a webhook a new secret; the item has it, this once. The one before signs too for `graceSeconds`. */
export async function* rotateWebhook(
  parts: Parts,
  { id, ...grace }: Named & { readonly graceSeconds: number },
): AsyncGenerator<ListedWebhook> {
  const { webhook, secret } = await administrationOf(parts).rotate(id, grace, cliContext())
  yield { ...webhookRecord(webhook), secret }
}

/** Sends a test event. */
export async function* testWebhook(parts: Parts, { id }: Named): AsyncGenerator<{ readonly eventId: string }> {
  yield { eventId: await administrationOf(parts).test(id, cliContext()) }
}

/** Sends every event since a time again. */
export async function* replayWebhook(
  parts: Parts,
  { id, since }: Named & { readonly since: number },
): AsyncGenerator<Named> {
  await administrationOf(parts).replay(id, since, cliContext())
  yield { id }
}

export async function* deleteWebhook(parts: Parts, { id }: Named): AsyncGenerator<Named> {
  await administrationOf(parts).remove(id, cliContext())
  yield { id }
}

/** The last deliveries of a webhook, newest first. */
export async function* listDeliveries(parts: Parts, { id }: Named): AsyncGenerator<ReturnType<typeof deliveryRecord>> {
  for (const delivery of await administrationOf(parts).deliveries(id)) yield deliveryRecord(delivery)
}

function administrationOf({ gateway: database, contracts, businesses, sealing }: Parts): WebhookAdministration {
  const end = async ({ events }: Database): Promise<string> => cursorAt(await events.head(), events)
  const feedEnd = async (): Promise<string> =>
    encodeCursors({ contracts: await end(contracts), businesses: await end(businesses) })
  return createWebhookAdministration({ database, clock: Date.now, newId: newUuid, sealing, feedEnd })
}
