import { z } from 'zod'
import type { ContractFields } from '../../shared/gen/mint/contracts/v1/contracts.ts'
import { historyShape } from './event.ts'
import { type FieldsOf, ifSet, timestamp, timestampText, total } from './fields.ts'

const example = {
  id: 7,
  clientId: '11111111-1111-1111-1111-111111111111',
  serviceName: 'Sales tax return',
  serviceType: 'tax-filing',
  serviceFee: 19.99,
  taxPercent: 8.25,
  totalFeeWithTax: 21.639175,
  serviceDate: '2026-01-31T00:00:00.000Z',
  notes: '',
  createdAt: '2026-01-31T09:30:00.000Z',
  updatedAt: '2026-01-31T09:30:00.000Z',
}

/** The record as the specification shows it, in its order of fields. */
export const contractShape = z
  .object({
    id: z.int().min(1).meta({ description: 'The number of the contract; never used twice.' }),
    clientId: z.guid(),
    serviceName: z.string(),
    serviceType: z.string(),
    serviceFee: z.number().min(0).meta({ description: 'The fee before tax.' }),
    taxPercent: z.number().min(0),
    totalFeeWithTax: z.number().min(0).meta({
      description:
        'serviceFee × (1 + taxPercent / 100), computed in exact decimals and not rounded to cents (beyond 15 digits: the nearest double).',
    }),
    serviceDate: timestampText.meta({ description: 'The day of the service, at midnight in UTC.' }),
    notes: z.string(),
    createdAt: timestampText,
    updatedAt: timestampText,
  })
  .meta({ id: 'Contract', examples: [example] })

/** A page of contracts. */
export const contractPage = z
  .object({ contracts: z.array(contractShape), total })
  .meta({ id: 'ContractPage', examples: [{ contracts: [example], total: 1 }] })

/** A page of a contract's history. */
export const contractHistoryPage = historyShape('Contract', contractShape, {
  from: { serviceFee: 19.99, totalFeeWithTax: 21.639175 },
  to: { serviceFee: 25, totalFeeWithTax: 27.0625 },
})

/** The contract of REST, or those of its fields that an event set. Money becomes a number here and nowhere else. */
export function contractRecord(contract: ContractFields): FieldsOf<typeof contractShape> {
  return {
    id: contract.id,
    clientId: contract.clientId,
    serviceName: contract.serviceName,
    serviceType: contract.serviceType,
    serviceFee: ifSet(contract.serviceFee, Number),
    taxPercent: ifSet(contract.taxPercent, Number),
    totalFeeWithTax: ifSet(contract.totalFeeWithTax, Number),
    // At the day's beginning in UTC.
    serviceDate: ifSet(contract.serviceDate, (date) => `${date}T00:00:00.000Z`),
    notes: contract.notes,
    createdAt: ifSet(contract.createdAt, timestamp),
    updatedAt: ifSet(contract.updatedAt, timestamp),
  }
}
