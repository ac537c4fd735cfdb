import type { Business } from '../../shared/gen/mint/businesses/v1/businesses.ts'
import { timestamp } from './timestamp.ts'

/** The record as the specification shows it, in its order of fields. */
export function businessRecord(business: Business) {
  return {
    id: business.id,
    clientId: business.clientId,
    legalName: business.legalName,
    operatedAs: business.operatedAs,
    businessNumber: business.businessNumber,
    taxId: business.taxId === '' ? null : business.taxId,
    phone: business.phone,
    email: business.email,
    ownershipType: business.ownershipType,
    industryType: business.industryType,
    incorporationDate: business.incorporationDate,
    createdAt: timestamp(business.createdAt),
    updatedAt: timestamp(business.updatedAt),
  }
}
