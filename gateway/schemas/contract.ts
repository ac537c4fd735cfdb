/** What requests about contracts may hold, in path, query and body. */
import { z } from 'zod'
import { calendarDate } from '../../shared/fields/calendar-date.ts'
import { clientName } from '../../shared/fields/client-fields.ts'
import { contractFields } from '../../shared/fields/contract-fields.ts'
import { bodyExampleOf, rulesOf } from '../../shared/fields/field-table.ts'
import { contractNumberText, uuidLike } from '../../shared/fields/identifiers.ts'
import { commonFilters, listQueries, WHOLE, wordsIn } from './read-parameters.ts'

export const contractPath = z.strictObject({
  id: contractNumberText.meta({ description: 'The number of the contract.' }),
})

const filters = {
  clientId: uuidLike.optional().meta({ description: 'Only contracts of this client.' }),
  clientName: clientName.optional().meta({
    description: `Only contracts of Clients found by this search: ${wordsIn('the displayName')} A name that more than 10,000 Clients match is 400. A new or edited Client is found by its name shortly after the change, as in \`GET /clients\`.`,
  }),
  serviceType: contractFields.serviceType.rule
    .optional()
    .meta({ description: `Only contracts of this service type${WHOLE}.` }),
  ...commonFilters('a service name or service type'),
  serviceDateFrom: calendarDate.optional().meta({ description: 'Only contracts of this service date or later.' }),
  serviceDateTo: calendarDate.optional().meta({ description: 'Only contracts of this service date or earlier.' }),
}

const queries = listQueries(filters, contractNumberText)
export const contractListQuery = queries.list
export const contractExportQuery = queries.export

const fields = z.strictObject(rulesOf(contractFields, 'jsonRule'))

export const newContract = fields.meta({ id: 'NewContract', examples: [bodyExampleOf(contractFields)] })

export const contractChanges = fields.partial().meta({ id: 'ContractChanges', examples: [{ serviceFee: 25 }] })
