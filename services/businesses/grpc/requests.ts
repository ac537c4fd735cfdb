/** The requests of mint.businesses.v1 with the rules of their fields. */
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
import { notBesideOffset } from '../../../shared/fields/cursor.ts'
import { emailOrEmpty } from '../../../shared/fields/email.ts'
import { uuidLike } from '../../../shared/fields/identifiers.ts'
import { limit, offset, search } from '../../../shared/fields/lists.ts'
import { timestamp } from '../../../shared/fields/timestamp.ts'

export const getBusinessRequest = z.object({ id: uuidLike, asOf: timestamp.optional() })

export const listBusinessHistoryRequest = z.object({ id: uuidLike, limit, offset })

export const getBusinessByClientIdRequest = z.object({ clientId: uuidLike })

export const listBusinessesRequest = notBesideOffset(
  z.object({
    search,
    updatedSince: timestamp.optional(),
    limit,
    offset,
    after: uuidLike.optional(),
    withoutTotal: z.boolean().optional(),
  }),
  { none: 0 },
)

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
