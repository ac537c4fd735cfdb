import { z } from 'zod'
import type {
  Contract,
  ContractFields,
  CreateContractRequest,
  EditContractRequest,
} from '../gen/mint/contracts/v1/contracts.ts'
import { calendarDate, calendarDateOrMidnight } from './calendar-date.ts'
import { clientName } from './client-fields.ts'
import { decimal, decimalCell, jsonDecimal, toAmount } from './decimal.ts'
import type { FieldTable } from './field-table.ts'
import { contractNumber, contractNumberText, uuidLike } from './identifiers.ts'
import { commonFilters, WHOLE_VALUE, wordsIn } from './lists.ts'
import { text } from './text.ts'
import { formatTimestamp, timestampText } from './timestamp.ts'

const FEE = { min: -1_000_000_000_000, max: 1_000_000_000_000, decimals: 4 }
const TAX = { min: 0, max: 1_000, decimals: 4 }
const FEE_MEANING = 'The fee before tax; a negative one is a credit.'

/** In CSV, dates have no time of day. */
const asInMessage = (value: string): string => value

interface ContractMessages {
  readonly record: Contract
  readonly create: CreateContractRequest
  readonly edit: EditContractRequest
  readonly changed: ContractFields
}

/** The fields of a contract. Amounts are decimal strings everywhere but in REST, where they are numbers. */
export const contractFields = {
  id: { shown: z.int().min(1).meta({ description: 'The number of the contract; never used twice.' }), example: 7 },
  clientId: {
    rule: uuidLike.meta({
      description:
        'The UUID of the client, in any case; it need not be known yet. For a business, give its clientId, not its id.',
    }),
    shown: z.guid(),
    example: '11111111-1111-1111-1111-111111111111',
  },
  serviceName: {
    rule: text({ min: 1, max: 200 }).meta({ description: 'Display name of the service.' }),
    shown: z.string(),
    example: 'Sales tax return',
  },
  serviceType: {
    rule: text({ min: 1, max: 100 }).meta({ description: 'Category, for example tax-filing or bookkeeping.' }),
    shown: z.string(),
    example: 'tax-filing',
  },
  serviceFee: {
    rule: decimal(FEE),
    jsonRule: jsonDecimal(FEE).meta({ description: FEE_MEANING }),
    cellRule: decimalCell(FEE),
    shown: z.number().meta({ description: FEE_MEANING }),
    toJson: Number,
    toCell: toAmount,
    example: 150,
  },
  taxPercent: {
    rule: decimal(TAX).optional(),
    jsonRule: jsonDecimal(TAX).optional().meta({ description: 'At creation, the default is 0.' }),
    cellRule: decimalCell(TAX).optional(),
    shown: z.number().min(0),
    toJson: Number,
    toCell: toAmount,
    example: 8.25,
  },
  totalFeeWithTax: {
    shown: z.number().meta({
      description:
        'serviceFee × (1 + taxPercent / 100), computed in exact decimals and not rounded to cents (beyond 15 digits: the nearest double).',
    }),
    toJson: Number,
    toCell: toAmount,
    example: 162.375,
  },
  serviceDate: {
    rule: calendarDate.optional(),
    jsonRule: calendarDateOrMidnight.optional().meta({
      description:
        'A date as YYYY-MM-DD, also in the form that records have. At creation, the default is today in the firm’s time zone.',
    }),
    cellRule: calendarDateOrMidnight.optional(),
    shown: timestampText.meta({ description: 'The day of the service, at midnight in UTC.' }),
    toJson: (date) => `${date}T00:00:00.000Z`,
    toCell: asInMessage,
    example: '2026-01-31T00:00:00.000Z',
  },
  notes: { rule: text({ min: 0, max: 10_000 }).optional(), shown: z.string(), example: '' },
  createdAt: { shown: timestampText, toJson: formatTimestamp, example: '2026-01-31T09:30:00.000Z' },
  updatedAt: { shown: timestampText, toJson: formatTimestamp, example: '2026-01-31T09:30:00.000Z' },
} satisfies FieldTable<ContractMessages>

/** How contracts are identified, listed and documented. */
export const contractTraits = {
  id: { rule: contractNumber, text: contractNumberText, description: 'The number of the contract.' },
  filters: {
    clientId: uuidLike.optional().meta({ description: 'Only contracts of this client.' }),
    clientName: clientName.optional().meta({
      description: `Only contracts of Clients found by this search: ${wordsIn('the displayName')} A search that more than 10,000 Clients match is refused with 400. A new or edited Client is found by its name shortly after the change, as in \`GET /clients\`.`,
    }),
    serviceType: contractFields.serviceType.rule
      .optional()
      .meta({ description: `Only contracts of this service type${WHOLE_VALUE}.` }),
    ...commonFilters('a service name or service type'),
    serviceDateFrom: calendarDate.optional().meta({ description: 'Only contracts of this service date or later.' }),
    serviceDateTo: calendarDate.optional().meta({ description: 'Only contracts of this service date or earlier.' }),
  },
  isClosable: true,
  examples: {
    changes: { serviceFee: 25 },
    edited: {
      from: { serviceFee: 150, totalFeeWithTax: 162.375 },
      to: { serviceFee: 160, totalFeeWithTax: 173.2 },
    },
  },
}
