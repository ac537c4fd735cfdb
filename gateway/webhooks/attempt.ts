import { CodedError } from '../../shared/calls/errors.ts'
import type { Webhook } from '../../shared/webhooks/evolve.ts'
import { type Sealing, signatureOf } from '../../shared/webhooks/secret.ts'
import type { Answer, Sender } from './send.ts'

export interface AttemptOptions {
  readonly send: Sender['send']
  /** Throws if there is no key. */
  readonly sealing: () => Sealing
  readonly clock: () => number
}

const UNREADABLE = 'Its secret can’t be read with this WEBHOOK_KEY: rotate it, or set the key that it was made with.'

interface Sent {
  readonly eventId: string
  readonly body: string
  /** The span of this attempt, if it is traced. */
  readonly traceparent?: string | undefined
}

/** Sends an event to a webhook, signed with every secret that is in force and can be read. */
export async function attempt(
  { id, url, secrets }: Webhook,
  { eventId, body, traceparent }: Sent,
  { send, sealing, clock }: AttemptOptions,
): Promise<Answer> {
  const seconds = Math.floor(clock() / 1_000)
  const inForce = secrets.filter(({ until }) => until === null || until > clock())
  let reason = UNREADABLE
  const opened = inForce.flatMap(({ sealed }) => {
    try {
      return sealing().open(sealed, id)
    } catch (error) {
      // Made with another key: after a rotation that may be the previous secret alone. Or there is no usable key.
      if (error instanceof CodedError) reason = error.message
      return []
    }
  })
  if (opened.length === 0) return { status: null, reason }
  const headers = {
    'content-type': 'application/cloudevents+json',
    'webhook-id': eventId,
    'webhook-timestamp': String(seconds),
    'webhook-signature': signatureOf({ id: eventId, seconds, body }, opened),
    ...(traceparent !== undefined && { traceparent }),
  }
  return await send({ url, headers, body })
}
