import { z } from 'zod'
import { industryType, ownershipType } from '../../shared/fields/business-fields.ts'
import type { BusinessFields } from '../../shared/gen/mint/businesses/v1/businesses.ts'
import { historyShape } from './event.ts'
import { type FieldsOf, ifSet, timestamp, timestampText, total } from './fields.ts'

const example = {
  id: '019c13a4-5b40-7c11-9d52-6f0d5c1c2a01',
  clientId: '019c13a4-5b40-7c11-9d52-6f0d5c1c2a02',
  legalName: 'École Montréal Ltée',
  operatedAs: 'École Montréal',
  businessNumber: '123456789RC0001',
  taxId: null,
  phone: '',
  email: 'bonjour@example.com',
  ownershipType: 'private' as const,
  industryType: 'service' as const,
  incorporationDate: '2019-04-01',
  createdAt: '2026-01-31T09:30:00.000Z',
  updatedAt: '2026-01-31T09:30:00.000Z',
}

/** The record as the specification shows it, in its order of fields. */
export const businessShape = z
  .object({
    id: z.guid(),
    clientId: z.guid().meta({ description: 'The Client record that this business is.' }),
    legalName: z.string(),
    operatedAs: z.string(),
    businessNumber: z.string(),
    taxId: z.string().nullable(),
    phone: z.string(),
    email: z.string(),
    ownershipType,
    industryType,
    incorporationDate: z
      .string()
      .regex(/^(\d{4}-\d{2}-\d{2})?$/)
      .meta({ description: 'A date as YYYY-MM-DD, or "" for none.' }),
    createdAt: timestampText,
    updatedAt: timestampText,
  })
  .meta({ id: 'Business', examples: [example] })

/** A page of businesses. */
export const businessPage = z
  .object({ businesses: z.array(businessShape), total })
  .meta({ id: 'BusinessPage', examples: [{ businesses: [example], total: 1 }] })

/** A page of a business's history. */
export const businessHistoryPage = historyShape('Business', businessShape, {
  from: { phone: '' },
  to: { phone: '+1 514 555 0199' },
})

/** The business of REST, or those of its fields that an event set. */
export function businessRecord(business: BusinessFields): FieldsOf<typeof businessShape> {
  return {
    id: business.id,
    clientId: business.clientId,
    legalName: business.legalName,
    operatedAs: business.operatedAs,
    businessNumber: business.businessNumber,
    // Proto has '' for none.
    taxId: ifSet(business.taxId, (taxId) => taxId || null),
    phone: business.phone,
    email: business.email,
    ownershipType: business.ownershipType,
    industryType: business.industryType,
    incorporationDate: business.incorporationDate,
    createdAt: ifSet(business.createdAt, timestamp),
    updatedAt: ifSet(business.updatedAt, timestamp),
  }
}
