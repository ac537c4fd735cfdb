/** What requests about businesses may hold, in path, query and body. */
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
import { commonFilters, pageStart } from './read-parameters.ts'

export const businessPath = z.strictObject({
  id: uuidLike.meta({ description: 'The id of the business, in any case.' }),
})

const filters = commonFilters('a legal name, trade name or business number')
const start = pageStart(uuidLike)

export const businessListQuery = notBesideOffset(z.strictObject({ ...filters, limit: limitText, ...start }))

/** Without a limit: every match. */
export const businessExportQuery = notBesideOffset(z.strictObject({ ...filters, limit: limitTextOrNone, ...start }))

const fields = z.strictObject({
  legalName,
  operatedAs: operatedAs.optional().meta({ description: 'The trade name; "": the legal name as it is then.' }),
  businessNumber: businessNumber.optional(),
  taxId: taxId
    .nullable()
    .transform((value) => value ?? '')
    .optional()
    .meta({ description: 'null or "": none.' }),
  phone: phone.optional(),
  email: emailOrEmpty.optional().meta({ description: 'A valid address, or "" for none.' }),
  ownershipType: ownershipType.optional(),
  industryType: industryType.optional(),
  incorporationDate: calendarDateOrEmpty.optional().meta({ description: 'A date, or "" for none.' }),
})

export const newBusiness = fields.meta({
  id: 'NewBusiness',
  examples: [
    {
      legalName: 'École Montréal Ltée',
      operatedAs: 'École Montréal',
      email: 'bonjour@example.com',
      industryType: 'service',
    },
  ],
})

export const businessChanges = fields
  .partial()
  .meta({ id: 'BusinessChanges', examples: [{ phone: '+1 514 555 0100', taxId: null }] })
