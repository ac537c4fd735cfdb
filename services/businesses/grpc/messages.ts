import type { HistoryEvent } from '../../../shared/event-sourcing/history.ts'
import type {
  BusinessEvent as BusinessEventMessage,
  Business as BusinessMessage,
} from '../../../shared/gen/mint/businesses/v1/businesses.ts'
import type { BusinessEvent } from '../business/events.ts'
import type { Business } from '../business/evolve.ts'

/** A business as proto has it: a tax id of `''` is none. */
export function businessMessage(business: Business, version: number): BusinessMessage {
  return {
    id: business.id,
    clientId: business.clientId,
    legalName: business.legalName,
    operatedAs: business.operatedAs,
    businessNumber: business.businessNumber,
    taxId: business.taxId ?? '',
    phone: business.phone,
    email: business.email,
    ownershipType: business.ownershipType,
    industryType: business.industryType,
    incorporationDate: business.incorporationDate,
    createdAt: business.createdAt,
    updatedAt: business.updatedAt,
    version,
  }
}

/** An event as proto has it, with everything that it set: times too. */
export function businessEventMessage({ version, by, event }: HistoryEvent<Business, BusinessEvent>): BusinessEventMessage {
  const { type, at } = event
  const { taxId, ...data } = event.data
  const created = type === 'BusinessCreated.v1' ? { createdAt: at } : {}
  const cleared = taxId === undefined ? {} : { taxId: taxId ?? '' }
  return { version, type, at, by, data: { ...data, ...cleared, ...created, updatedAt: at } }
}
