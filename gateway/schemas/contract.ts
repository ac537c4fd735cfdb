import { z } from 'zod'
import { calendarDate } from '../../shared/fields/calendar-date.ts'
import { jsonServiceFee, jsonTaxPercent, notes, serviceName, serviceType } from '../../shared/fields/contract-fields.ts'
import { contractNumberText, uuidLike } from '../../shared/fields/identifiers.ts'
import { limitText, offsetText, search } from '../../shared/fields/lists.ts'

export const contractPath = z.strictObject({ id: contractNumberText })

export const contractFilters = z.strictObject({
  clientId: uuidLike.optional(),
  search: search.default(''),
  limit: limitText,
  offset: offsetText,
})

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
