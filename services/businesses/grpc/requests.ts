import { z } from 'zod'
import {
  businessNumber,
  industryType,
  legalName,
  operatedAs,
  ownershipType,
  phone,
  taxId,
} from '../../../shared/fields/business-fields.ts'
import { calendarDateOrEmpty } from '../../../shared/fields/calendar-date.ts'
import { emailOrEmpty } from '../../../shared/fields/email.ts'
import { uuidLike } from '../../../shared/fields/identifiers.ts'
import { limit, offset, search } from '../../../shared/fields/lists.ts'

/** The requests of mint.businesses.v1 with the rules of their fields. */
export const getBusinessRequest = z.object({ id: uuidLike })

export const getBusinessByClientIdRequest = z.object({ clientId: uuidLike })

export const listBusinessesRequest = z.object({ search, limit, offset })

export const createBusinessRequest = z.object({
  legalName,
  operatedAs: operatedAs.optional(),
  businessNumber: businessNumber.optional(),
  taxId: taxId.optional(),
  phone: phone.optional(),
  email: emailOrEmpty.optional(),
  ownershipType: ownershipType.optional(),
  industryType: industryType.optional(),
  incorporationDate: calendarDateOrEmpty.optional(),
})

export const editBusinessRequest = createBusinessRequest.partial().extend({ id: uuidLike })
