import type { BusinessEvent, BusinessFields } from '../../shared/gen/mint/businesses/v1/businesses.ts'
import { businessShape, nullIfNone } from './business-record.ts'
import { eventRecord, historyShape, ifSet } from './event.ts'
import { timestamp } from './timestamp.ts'

/** A page of a business's history. */
export const businessHistoryPage = historyShape('Business', businessShape, {
  from: { phone: '' },
  to: { phone: '+1 514 555 0199' },
})

/** The event of REST, with the name of the key that did it. */
export function businessEventRecord(event: BusinessEvent, byName: string | null) {
  return eventRecord(event, byName, fieldsSet)
}

function fieldsSet(fields: BusinessFields) {
  return {
    id: fields.id,
    clientId: fields.clientId,
    legalName: fields.legalName,
    operatedAs: fields.operatedAs,
    businessNumber: fields.businessNumber,
    taxId: ifSet(fields.taxId, nullIfNone),
    phone: fields.phone,
    email: fields.email,
    ownershipType: fields.ownershipType,
    industryType: fields.industryType,
    incorporationDate: fields.incorporationDate,
    createdAt: ifSet(fields.createdAt, timestamp),
    updatedAt: ifSet(fields.updatedAt, timestamp),
  }
}
