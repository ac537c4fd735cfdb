import { z } from 'zod'
import { businessFields } from '../../shared/fields/business-fields.ts'
import { recordExampleOf, recordShapeOf, toRecordBy } from '../../shared/fields/field-table.ts'
import type { BusinessFields } from '../../shared/gen/mint/businesses/v1/businesses.ts'
import { historyShape } from './event.ts'
import { total } from './fields.ts'

/** The record as the specification shows it, in its order of fields. */
export const businessShape = recordShapeOf(businessFields, 'Business')

/** A page of businesses. */
export const businessPage = z
  .object({ businesses: z.array(businessShape), total })
  .meta({ id: 'BusinessPage', examples: [{ businesses: [recordExampleOf(businessFields)], total: 1 }] })

/** A page of a business's history. */
export const businessHistoryPage = historyShape('Business', businessShape, {
  from: { phone: '' },
  to: { phone: '+1 514 555 0199' },
})

/** The business of REST, or those of its fields that an event set. */
export const businessRecord = toRecordBy<BusinessFields>(businessFields)
