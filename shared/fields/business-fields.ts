import { z } from 'zod'
import type {
  Business,
  BusinessFields,
  CreateBusinessRequest,
  EditBusinessRequest,
} from '../gen/mint/businesses/v1/businesses.ts'
import { calendarDateOrEmpty } from './calendar-date.ts'
import { choice } from './choice.ts'
import { emailFilter, emailOrEmpty } from './email.ts'
import type { FieldTable } from './field-table.ts'
import { uuidIdOf } from './identifiers.ts'
import { commonFilters, WHOLE_VALUE } from './lists.ts'
import { text } from './text.ts'
import { formatTimestamp, timestampText } from './timestamp.ts'

const ownershipType = choice(['private', 'public', 'non_profit', 'other'])
const industryType = choice(['retail', 'manufacturing', 'service', 'other'])
const shortText = text({ min: 0, max: 50 })
const longText = text({ min: 0, max: 300 })

interface BusinessMessages {
  readonly record: Business
  readonly create: CreateBusinessRequest
  readonly edit: EditBusinessRequest
  readonly changed: BusinessFields
}

/** The fields of a business. */
export const businessFields = {
  id: { shown: z.guid(), example: '019c13a4-5b40-7c11-9d52-6f0d5c1c2a01' },
  clientId: {
    shown: z.guid().meta({ description: 'The Client record that this business is.' }),
    example: '019c13a4-5b40-7c11-9d52-6f0d5c1c2a02',
  },
  legalName: { rule: text({ min: 1, max: 300 }), shown: z.string(), example: 'École Montréal Ltée' },
  operatedAs: {
    rule: longText.optional().meta({ description: 'The trade name; "" sets it to the current legal name.' }),
    shown: z.string(),
    example: 'École Montréal',
  },
  businessNumber: { rule: shortText.optional(), shown: z.string(), example: '123456789RC0001' },
  taxId: {
    // In a message, "" means none.
    rule: shortText.optional(),
    jsonRule: shortText
      .nullable()
      .transform((value) => value ?? '')
      .optional()
      .meta({ description: 'null or "": none.' }),
    shown: z.string().nullable(),
    toJson: (taxId) => taxId || null,
    example: null,
  },
  phone: { rule: shortText.optional(), shown: z.string(), example: '' },
  email: {
    rule: emailOrEmpty.optional().meta({ description: 'A valid address, or "" for none.' }),
    shown: z.string(),
    example: 'bonjour@example.com',
  },
  ownershipType: { rule: ownershipType.optional(), shown: ownershipType, example: 'private' },
  industryType: { rule: industryType.optional(), shown: industryType, example: 'service' },
  incorporationDate: {
    rule: calendarDateOrEmpty.optional().meta({ description: 'A date as YYYY-MM-DD, or "" for none.' }),
    shown: z
      .string()
      .regex(/^(\d{4}-\d{2}-\d{2})?$/)
      .meta({ description: 'A date as YYYY-MM-DD, or "" for none.' }),
    example: '2019-04-01',
  },
  createdAt: { shown: timestampText, toJson: formatTimestamp, example: '2026-01-31T09:30:00.000Z' },
  updatedAt: { shown: timestampText, toJson: formatTimestamp, example: '2026-01-31T09:30:00.000Z' },
} satisfies FieldTable<BusinessMessages>

/** How businesses are identified, listed and documented. */
export const businessTraits = {
  id: uuidIdOf('business'),
  filters: {
    ...commonFilters('a legal name, trade name or business number'),
    email: emailFilter.optional().meta({
      description: `Only businesses with this e-mail address${WHOLE_VALUE}; empty: those without one.`,
    }),
    taxId: businessFields.taxId.rule.meta({
      description: `Only businesses with this tax id${WHOLE_VALUE}; empty: those without one.`,
    }),
  },
  aboutCreation: 'The business is also a Client, with `clientType` `business` and the `clientId` in the answer.',
  examples: {
    changes: { phone: '+1 514 555 0100', taxId: null },
    edited: { from: { phone: '' }, to: { phone: '+1 514 555 0199' } },
  },
}
