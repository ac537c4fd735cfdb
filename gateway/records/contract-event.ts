import type { ContractEvent, ContractFields } from '../../shared/gen/mint/contracts/v1/contracts.ts'
import { contractShape, dateAtMidnight } from './contract-record.ts'
import { eventRecord, historyShape, ifSet } from './event.ts'
import { timestamp } from './timestamp.ts'

/** A page of a contract's history. */
export const contractHistoryPage = historyShape('Contract', contractShape, {
  from: { serviceFee: 19.99, totalFeeWithTax: 21.639175 },
  to: { serviceFee: 25, totalFeeWithTax: 27.0625 },
})

/** The event of REST, with the name of the key that did it. */
export function contractEventRecord(event: ContractEvent, byName: string | null) {
  return eventRecord(event, byName, fieldsSet)
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
