/** What requests about businesses may hold, in path, query and body. */
import { z } from 'zod'
import { businessFields } from '../../shared/fields/business-fields.ts'
import { soughtEmail } from '../../shared/fields/email.ts'
import { bodyExampleOf, rulesOf } from '../../shared/fields/field-table.ts'
import { uuidLike } from '../../shared/fields/identifiers.ts'
import { commonFilters, listQueries, WHOLE } from './read-parameters.ts'

export const businessPath = z.strictObject({
  id: uuidLike.meta({ description: 'The id of the business, in any case.' }),
})

const filters = {
  ...commonFilters('a legal name, trade name or business number'),
  email: soughtEmail.optional().meta({
    description: `Only businesses with this e-mail address${WHOLE}; empty: those without one.`,
  }),
  taxId: businessFields.taxId.rule.meta({
    description: `Only businesses with this tax id${WHOLE}; empty: those without one.`,
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
