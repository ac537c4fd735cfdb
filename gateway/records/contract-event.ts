import { z } from 'zod'
import type { ContractEvent, ContractFields } from '../../shared/gen/mint/contracts/v1/contracts.ts'
import { contractShape, dateAtMidnight } from './contract-record.ts'
import { eventRecord, eventShape, ifSet } from './event.ts'
import { total } from './page.ts'
import { timestamp } from './timestamp.ts'

const example = {
  version: 2,
  type: 'ContractEdited.v1',
  at: '2026-02-01T08:00:00.000Z',
  by: '6fa1c9de-39a5-5a7e-8b5c-d7c1a4b5e601',
  data: { serviceFee: 25, totalFeeWithTax: 27.0625, updatedAt: '2026-02-01T08:00:00.000Z' },
}

const contractEventShape = eventShape(contractShape.partial()).meta({ id: 'ContractEvent', examples: [example] })

/** A page of a contract's history. */
export const contractHistoryPage = z
  .object({ events: z.array(contractEventShape), total })
  .meta({ id: 'ContractHistoryPage', examples: [{ events: [example], total: 2 }] })

/** The event of REST: JSON leaves out what it did not set. */
export function contractEventRecord(event: ContractEvent) {
  return eventRecord(event, fieldsSet(event.data ?? {}))
}

function fieldsSet(fields: ContractFields) {
  return {
    id: fields.id,
    clientId: fields.clientId,
    serviceName: fields.serviceName,
    serviceType: fields.serviceType,
    serviceFee: ifSet(fields.serviceFee, Number),
    taxPercent: ifSet(fields.taxPercent, Number),
    totalFeeWithTax: ifSet(fields.totalFeeWithTax, Number),
    serviceDate: ifSet(fields.serviceDate, dateAtMidnight),
    notes: fields.notes,
    createdAt: ifSet(fields.createdAt, timestamp),
    updatedAt: ifSet(fields.updatedAt, timestamp),
  }
}
