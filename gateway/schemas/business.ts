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
import { notBesideOffset } from '../../shared/fields/cursor.ts'
import { emailOrEmpty } from '../../shared/fields/email.ts'
import { uuidLike } from '../../shared/fields/identifiers.ts'
import { limitText, limitTextOrNone } from '../../shared/fields/lists.ts'
import { commonFilters, pageStart } from './reading.ts'

export const businessPath = z.strictObject({ id: uuidLike })

const start = pageStart(uuidLike)

export const businessListQuery = notBesideOffset(z.strictObject({ ...commonFilters, limit: limitText, ...start }))

/** Without a limit: every match. */
export const businessExportQuery = notBesideOffset(
  z.strictObject({ ...commonFilters, limit: limitTextOrNone, ...start }),
)

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
