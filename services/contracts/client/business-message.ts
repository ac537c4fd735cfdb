import { z } from 'zod'
import type { TopicMessage } from '../../../shared/event-sourcing/ports/topic.ts'
import { businessFields } from '../../../shared/fields/business-fields.ts'
import { check } from '../../../shared/fields/check.ts'
import { uuidLike } from '../../../shared/fields/identifiers.ts'
import type { BusinessAtVersion } from './decide.ts'

/** A parsed message of the businesses topic, or the reason to set it aside. */
type ReadMessage =
  | { readonly type: 'understood'; readonly business: BusinessAtVersion }
  | { readonly type: 'refused'; readonly reason: string }

const attribute = z.string().min(1).max(255)

const headersSchema = z.object({
  ce_specversion: z.literal('1.0'),
  ce_id: attribute,
  ce_source: attribute,
  ce_type: z.enum(['mint.business.created.v1', 'mint.business.edited.v1']),
})

const time = z.iso.datetime().transform((text) => Date.parse(text))

/** The fields of a business that a Client needs; others are ignored. */
const valueSchema = z.object({
  id: uuidLike,
  clientId: uuidLike,
  operatedAs: businessFields.operatedAs.rule.unwrap(),
  createdAt: time,
  updatedAt: time,
  version: z.int().min(1),
})

/** Parses an untrusted message: anybody with write access to the topic may have sent it. */
export function readBusinessMessage(message: TopicMessage): ReadMessage {
  const headers = check(headersSchema, message.headers)
  if (headers.type === 'invalid') return notUnderstood('headers', headers.violations)
  let json: unknown
  try {
    json = JSON.parse(message.value)
  } catch {
    // JSON.parse quotes the value in its message, and not everyone who sees the reason may read the value.
    return { type: 'refused', reason: 'The value is not JSON.' }
  }
  const value = check(valueSchema, json)
  if (value.type === 'invalid') return notUnderstood('value', value.violations)
  return { type: 'understood', business: value.value }
}

function notUnderstood(part: string, violations: readonly { pointer: string; message: string }[]): ReadMessage {
  const details = violations.map(({ pointer, message }) => `${part}${pointer}: ${message}`)
  return { type: 'refused', reason: `Not a valid business event: ${details.join('; ')}` }
}
