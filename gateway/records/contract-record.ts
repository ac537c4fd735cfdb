import { z } from 'zod'
import { contractFields } from '../../shared/fields/contract-fields.ts'
import { recordExampleOf, recordShapeOf, toRecordBy } from '../../shared/fields/field-table.ts'
import type { ContractFields } from '../../shared/gen/mint/contracts/v1/contracts.ts'
import { historyShape } from './event.ts'
import { total } from './fields.ts'

/** The record as the specification shows it, in its order of fields. */
export const contractShape = recordShapeOf(contractFields, 'Contract')

/** A page of contracts. */
export const contractPage = z
  .object({ contracts: z.array(contractShape), total })
  .meta({ id: 'ContractPage', examples: [{ contracts: [recordExampleOf(contractFields)], total: 1 }] })

/** A page of a contract's history. */
export const contractHistoryPage = historyShape('Contract', contractShape, {
  from: { serviceFee: 150, totalFeeWithTax: 162.375 },
  to: { serviceFee: 160, totalFeeWithTax: 173.2 },
  isClosable: true,
})

/** The contract of REST, or those of its fields that an event set. Money becomes a number here and nowhere else. */
export const contractRecord = toRecordBy<ContractFields>(contractFields)
