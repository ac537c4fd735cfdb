import { z } from 'zod'
import type { BusinessEvent, BusinessFields } from '../../shared/gen/mint/businesses/v1/businesses.ts'
import { businessShape, nullIfNone } from './business-record.ts'
import { eventRecord, eventShape, ifSet } from './event.ts'
import { total } from './page.ts'
import { timestamp } from './timestamp.ts'

const example = {
  version: 2,
  type: 'BusinessEdited.v1',
  at: '2026-02-01T08:00:00.000Z',
  by: '6fa1c9de-39a5-5a7e-8b5c-d7c1a4b5e601',
  data: { phone: '+1 514 555 0199', updatedAt: '2026-02-01T08:00:00.000Z' },
}

const businessEventShape = eventShape(businessShape.partial()).meta({ id: 'BusinessEvent', examples: [example] })

/** A page of a business's history. */
export const businessHistoryPage = z
  .object({ events: z.array(businessEventShape), total })
  .meta({ id: 'BusinessHistoryPage', examples: [{ events: [example], total: 2 }] })

/** The event of REST: JSON leaves out what it did not set. */
export function businessEventRecord(event: BusinessEvent) {
  return eventRecord(event, fieldsSet(event.data ?? {}))
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
