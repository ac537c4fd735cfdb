import { calendarDate, calendarDateOrMidnight } from './calendar-date.ts'
import { decimal, jsonDecimal } from './decimal.ts'
import { uuidLike } from './identifiers.ts'
import { text } from './text.ts'

const FEE = { max: 1_000_000_000_000, decimals: 4 }
const TAX = { max: 1_000, decimals: 4 }

/** What a caller gives of a contract, by proto: amounts are decimal strings. */
export const contractFields = {
  clientId: uuidLike.meta({
    description:
      'The UUID of the client, in any case; it need not be known yet. Of a business its clientId, not its id.',
  }),
  serviceName: text({ min: 1, max: 200 }).meta({ description: 'Display name of the service.' }),
  serviceType: text({ min: 1, max: 100 }).meta({
    description: 'Category, for example tax-filing or bookkeeping.',
  }),
  serviceFee: decimal(FEE),
  taxPercent: decimal(TAX).optional(),
  serviceDate: calendarDate.optional(),
  notes: text({ min: 0, max: 10_000 }).optional(),
}

/** The same in JSON: amounts are numbers, which come out as decimal strings. */
export const jsonContractFields = {
  ...contractFields,
  serviceFee: jsonDecimal(FEE).meta({ description: 'The fee before tax.' }),
  taxPercent: jsonDecimal(TAX).optional().meta({ description: '0 when left out at creation.' }),
  serviceDate: calendarDateOrMidnight.optional().meta({
    description: 'A date, also in the form of the record. Today in UTC when left out at creation.',
  }),
}

/** What the service computes or assigns, and refuses on input. */
export const computedContractFields = ['id', 'totalFeeWithTax', 'createdAt', 'updatedAt'] as const
