import type { Contract } from '../../shared/gen/mint/contracts/v1/contracts.ts'
import { timestamp } from './timestamp.ts'

/** The record as the specification shows it, in its order of fields. Money becomes a number here and nowhere else. */
export function contractRecord(contract: Contract) {
  return {
    id: contract.id,
    clientId: contract.clientId,
    serviceName: contract.serviceName,
    serviceType: contract.serviceType,
    serviceFee: Number(contract.serviceFee),
    taxPercent: Number(contract.taxPercent),
    totalFeeWithTax: Number(contract.totalFeeWithTax),
    serviceDate: `${contract.serviceDate}T00:00:00.000Z`,
    notes: contract.notes,
    createdAt: timestamp(contract.createdAt),
    updatedAt: timestamp(contract.updatedAt),
  }
}
