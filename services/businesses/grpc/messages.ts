import { type HistoryEvent, sameFields } from '../../../shared/event-sourcing/history.ts'
import type {
  BusinessEvent as BusinessEventMessage,
  BusinessFields as BusinessFieldsMessage,
  Business as BusinessMessage,
} from '../../../shared/gen/mint/businesses/v1/businesses.ts'
import type { BusinessEvent } from '../business/events.ts'
import type { Business } from '../business/evolve.ts'

/** A business as proto has it: a tax id of `''` is none. */
export function businessMessage(business: Business, version: number): BusinessMessage {
  return { ...business, taxId: business.taxId ?? '', version }
}

/** An event as proto has it, with everything that it set, times too, and what that was before. */
export function businessEventMessage(happened: HistoryEvent<Business, BusinessEvent>): BusinessEventMessage {
  const { version, by, event, before } = happened
  const { type, at } = event
  const created = type === 'BusinessCreated.v1' ? { createdAt: at } : {}
  const data = { ...event.data, ...created, updatedAt: at }
  return { version, type, at, by, data: fieldsMessage(data), before: fieldsMessage(sameFields(before, data)) }
}

/** Absent fields stay absent; a tax id of null is `''`. */
function fieldsMessage({ taxId, ...fields }: Partial<Business>): BusinessFieldsMessage {
  return taxId === undefined ? fields : { ...fields, taxId: taxId ?? '' }
}
