import { decimal, jsonDecimal } from './decimal.ts'
import { text } from './text.ts'

const FEE = { max: 1_000_000_000_000, decimals: 4 }
const TAX = { max: 1_000, decimals: 4 }

export const serviceName = text({ min: 1, max: 200 })
export const serviceType = text({ min: 1, max: 100 })
export const notes = text({ min: 0, max: 10_000 })
/** A decimal string. */
export const serviceFee = decimal(FEE)
/** A decimal string. */
export const taxPercent = decimal(TAX)
/** A JSON number; comes out as a decimal string. */
export const jsonServiceFee = jsonDecimal(FEE)
/** A JSON number; comes out as a decimal string. */
export const jsonTaxPercent = jsonDecimal(TAX)

/** What the service computes or assigns, and refuses on input. */
export const computedContractFields = ['id', 'totalFeeWithTax', 'createdAt', 'updatedAt'] as const
