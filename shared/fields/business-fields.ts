import { choice } from './choice.ts'
import { text } from './text.ts'

export const legalName = text({ min: 1, max: 300 })
/** `""`: the legal name. */
export const operatedAs = text({ min: 0, max: 300 })
export const businessNumber = text({ min: 0, max: 50 })
/** `""`: none. */
export const taxId = text({ min: 0, max: 50 })
export const phone = text({ min: 0, max: 50 })
export const ownershipType = choice(['private', 'public', 'non_profit', 'other'])
export const industryType = choice(['retail', 'manufacturing', 'service', 'other'])
export const clientType = choice(['business'])

/** What the service computes or assigns, and refuses on input. */
export const computedBusinessFields = ['id', 'clientId', 'createdAt', 'updatedAt'] as const
