import type { Business as BusinessMessage } from '../../../shared/gen/mint/businesses/v1/businesses.ts'
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
