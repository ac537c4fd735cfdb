import { z } from 'zod'
import type { Contract } from '../../shared/gen/mint/contracts/v1/contracts.ts'
import { total } from './page.ts'
import { timestamp, timestampText } from './timestamp.ts'

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

/** The contract of REST. Money becomes a number here and nowhere else. */
export function contractRecord(contract: Contract): z.output<typeof contractShape> {
  return {
    id: contract.id,
    clientId: contract.clientId,
    serviceName: contract.serviceName,
    serviceType: contract.serviceType,
    serviceFee: Number(contract.serviceFee),
    taxPercent: Number(contract.taxPercent),
    totalFeeWithTax: Number(contract.totalFeeWithTax),
    serviceDate: dateAtMidnight(contract.serviceDate),
    notes: contract.notes,
    createdAt: timestamp(contract.createdAt),
    updatedAt: timestamp(contract.updatedAt),
  }
}

/** `YYYY-MM-DD` → that day's beginning in UTC. */
export function dateAtMidnight(date: string): string {
  return `${date}T00:00:00.000Z`
}
