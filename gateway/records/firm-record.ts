import { z } from 'zod'
import { computedNamesOf, recordShapeOf, rulesOf, toRecordBy } from '../../shared/fields/field-table.ts'
import { firmFields } from '../../shared/fields/firm-fields.ts'
import { upToTimestampText } from '../../shared/fields/timestamp.ts'
import { historyShape } from './event.ts'

/** The firm's record as REST shows it. */
export const firmShape = recordShapeOf(firmFields, 'Firm')

/** Converts a message, or only the fields that an event set, to the form of REST. */
export const firmRecord = toRecordBy<object>(firmFields)

/** A page of its history. */
export const firmHistoryPage = historyShape('Firm', firmShape, {
  from: { phone: '' },
  to: { phone: '+1 902 555 0100' },
})

/** What an edit may contain. */
export const firmChanges = z
  .strictObject(rulesOf(firmFields, 'jsonRule'))
  .partial()
  .meta({ id: 'FirmChanges', examples: [{ currency: 'CAD', timeZone: 'America/Halifax' }] })

/** Fields that the service sets itself. */
export const computedFirmFields = computedNamesOf(firmFields)

/** The moment as of which the record is requested. */
export const firmMoment = z.strictObject({
  asOf: upToTimestampText.optional().meta({
    description:
      'The record as it was at this moment, its millisecond included: empty before the first edit, and in the future as it is now.',
  }),
})
