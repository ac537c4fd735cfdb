/** What requests about contracts may hold, in path, query and body. */
import { z } from 'zod'
import { calendarDate, calendarDateOrMidnight } from '../../shared/fields/calendar-date.ts'
import { jsonServiceFee, jsonTaxPercent, notes, serviceName, serviceType } from '../../shared/fields/contract-fields.ts'
import { notBesideOffset } from '../../shared/fields/cursor.ts'
import { contractNumberText, uuidLike } from '../../shared/fields/identifiers.ts'
import { limitText, limitTextOrNone } from '../../shared/fields/lists.ts'
import { commonFilters, pageStart } from './read-parameters.ts'

export const contractPath = z.strictObject({
  id: contractNumberText.meta({ description: 'The number of the contract.' }),
})

const filters = {
  clientId: uuidLike.optional().meta({ description: 'Only contracts of this client.' }),
  ...commonFilters('a service name or service type'),
  serviceDateFrom: calendarDate.optional().meta({ description: 'Only contracts of this service date or later.' }),
  serviceDateTo: calendarDate.optional().meta({ description: 'Only contracts of this service date or earlier.' }),
}
const start = pageStart(contractNumberText)

export const contractListQuery = notBesideOffset(z.strictObject({ ...filters, limit: limitText, ...start }))

/** Without a limit: every match. */
export const contractExportQuery = notBesideOffset(z.strictObject({ ...filters, limit: limitTextOrNone, ...start }))

const fields = z.strictObject({
  clientId: uuidLike.meta({
    description:
      'The UUID of the client, in any case; it need not be known yet. Of a business its clientId, not its id.',
  }),
  serviceName: serviceName.meta({ description: 'Display name of the service.' }),
  serviceType: serviceType.meta({ description: 'Category, for example tax-filing or bookkeeping.' }),
  serviceFee: jsonServiceFee.meta({ description: 'The fee before tax.' }),
  taxPercent: jsonTaxPercent.optional().meta({ description: '0 when left out at creation.' }),
  serviceDate: calendarDateOrMidnight.optional().meta({
    description: 'A date, also in the form of the record. Today in UTC when left out at creation.',
  }),
  notes: notes.optional(),
})

export const newContract = fields.meta({
  id: 'NewContract',
  examples: [
    {
      clientId: '11111111-1111-1111-1111-111111111111',
      serviceName: 'Sales tax return',
      serviceType: 'tax-filing',
      serviceFee: 150,
      taxPercent: 8.25,
    },
  ],
})

export const contractChanges = fields.partial().meta({ id: 'ContractChanges', examples: [{ serviceFee: 25 }] })
