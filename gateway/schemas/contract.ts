import { z } from 'zod'
import { calendarDate } from '../../shared/fields/calendar-date.ts'
import { jsonServiceFee, jsonTaxPercent, notes, serviceName, serviceType } from '../../shared/fields/contract-fields.ts'
import { notBesideOffset } from '../../shared/fields/cursor.ts'
import { contractNumberText, uuidLike } from '../../shared/fields/identifiers.ts'
import { limitText, limitTextOrNone } from '../../shared/fields/lists.ts'
import { commonFilters, pageStart } from './reading.ts'

export const contractPath = z.strictObject({ id: contractNumberText })

const filters = {
  clientId: uuidLike.optional(),
  ...commonFilters,
  serviceDateFrom: calendarDate.optional().meta({ description: 'Only contracts of this service date or later.' }),
  serviceDateTo: calendarDate.optional().meta({ description: 'Only contracts of this service date or earlier.' }),
}
const start = pageStart(contractNumberText)

export const contractListQuery = notBesideOffset(z.strictObject({ ...filters, limit: limitText, ...start }))

/** Without a limit: every match. */
export const contractExportQuery = notBesideOffset(z.strictObject({ ...filters, limit: limitTextOrNone, ...start }))

export const newContract = z.strictObject({
  clientId: uuidLike,
  serviceName,
  serviceType,
  serviceFee: jsonServiceFee,
  taxPercent: jsonTaxPercent.optional(),
  serviceDate: calendarDate.optional(),
  notes: notes.optional(),
})

export const contractChanges = newContract.partial()
