import { z } from 'zod'
import {
  businessNumber,
  industryType,
  legalName,
  operatedAs,
  ownershipType,
  phone,
  taxId,
} from '../../shared/fields/business-fields.ts'
import { calendarDateOrEmpty } from '../../shared/fields/calendar-date.ts'
import { emailOrEmpty } from '../../shared/fields/email.ts'
import { uuidLike } from '../../shared/fields/identifiers.ts'
import { limitText, offsetText, search } from '../../shared/fields/lists.ts'

export const businessPath = z.strictObject({ id: uuidLike })

export const businessFilters = z.strictObject({ search: search.default(''), limit: limitText, offset: offsetText })

export const newBusiness = z.strictObject({
  legalName,
  operatedAs: operatedAs.optional(),
  businessNumber: businessNumber.optional(),
  taxId: taxId
    .nullable()
    .transform((value) => value ?? '')
    .optional(),
  phone: phone.optional(),
  email: emailOrEmpty.optional(),
  ownershipType: ownershipType.optional(),
  industryType: industryType.optional(),
  incorporationDate: calendarDateOrEmpty.optional(),
})

export const businessChanges = newBusiness.partial()
