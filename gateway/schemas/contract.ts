/** What requests about contracts may hold, in path, query and body. */
import { z } from 'zod'
import { calendarDate } from '../../shared/fields/calendar-date.ts'
import { jsonContractFields } from '../../shared/fields/contract-fields.ts'
import { contractNumberText, uuidLike } from '../../shared/fields/identifiers.ts'
import { commonFilters, listQueries } from './read-parameters.ts'

export const contractPath = z.strictObject({
  id: contractNumberText.meta({ description: 'The number of the contract.' }),
})

const filters = {
  clientId: uuidLike.optional().meta({ description: 'Only contracts of this client.' }),
  ...commonFilters('a service name or service type'),
  serviceDateFrom: calendarDate.optional().meta({ description: 'Only contracts of this service date or later.' }),
  serviceDateTo: calendarDate.optional().meta({ description: 'Only contracts of this service date or earlier.' }),
}

const queries = listQueries(filters, contractNumberText)
export const contractListQuery = queries.list
export const contractExportQuery = queries.export

const fields = z.strictObject(jsonContractFields)

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
