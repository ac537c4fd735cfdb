import { calendarDateOrEmpty } from './calendar-date.ts'
import { choice } from './choice.ts'
import { emailOrEmpty } from './email.ts'
import { text } from './text.ts'

export const operatedAs = text({ min: 0, max: 300 })
export const ownershipType = choice(['private', 'public', 'non_profit', 'other'])
export const industryType = choice(['retail', 'manufacturing', 'service', 'other'])
export const clientType = choice(['business'])

const taxId = text({ min: 0, max: 50 })

/** What a caller gives of a business, by proto: a tax id of `""` is none. */
export const businessFields = {
  legalName: text({ min: 1, max: 300 }),
  operatedAs: operatedAs.optional().meta({ description: 'The trade name; "": the legal name as it is then.' }),
  businessNumber: text({ min: 0, max: 50 }).optional(),
  taxId: taxId.optional(),
  phone: text({ min: 0, max: 50 }).optional(),
  email: emailOrEmpty.optional().meta({ description: 'A valid address, or "" for none.' }),
  ownershipType: ownershipType.optional(),
  industryType: industryType.optional(),
  incorporationDate: calendarDateOrEmpty.optional().meta({ description: 'A date, or "" for none.' }),
}

/** The same in JSON. */
export const jsonBusinessFields = {
  ...businessFields,
  taxId: taxId
    .nullable()
    .transform((value) => value ?? '')
    .optional()
    .meta({ description: 'null or "": none.' }),
}

/** What the service computes or assigns, and refuses on input. */
export const computedBusinessFields = ['id', 'clientId', 'createdAt', 'updatedAt'] as const
