/** What requests about businesses may hold, in path, query and body. */
import { z } from 'zod'
import { businessFields } from '../../shared/fields/business-fields.ts'
import { bodyExampleOf, rulesOf } from '../../shared/fields/field-table.ts'
import { uuidLike } from '../../shared/fields/identifiers.ts'
import { commonFilters, listQueries } from './read-parameters.ts'

export const businessPath = z.strictObject({
  id: uuidLike.meta({ description: 'The id of the business, in any case.' }),
})

const filters = {
  ...commonFilters('a legal name, trade name or business number'),
  email: businessFields.email.rule.meta({
    description: 'Only businesses with exactly this e-mail address, whatever the case; empty: those without one.',
  }),
  taxId: businessFields.taxId.rule.meta({
    description: 'Only businesses with exactly this tax id, whatever the case; empty: those without one.',
  }),
}

const queries = listQueries(filters, uuidLike)
export const businessListQuery = queries.list
export const businessExportQuery = queries.export

const fields = z.strictObject(rulesOf(businessFields, 'jsonRule'))

export const newBusiness = fields.meta({ id: 'NewBusiness', examples: [bodyExampleOf(businessFields)] })

export const businessChanges = fields
  .partial()
  .meta({ id: 'BusinessChanges', examples: [{ phone: '+1 514 555 0100', taxId: null }] })
