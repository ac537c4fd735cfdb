import { businessFields } from '../../../shared/fields/business-fields.ts'
import { cellRulesOf, computedNamesOf } from '../../../shared/fields/field-table.ts'
import type { BusinessesService, CreateBusinessRequest } from '../../../shared/gen/mint/businesses/v1/businesses.ts'
import type { CsvIn } from './kinds.ts'
import { rowRule } from './row-rule.ts'

/** Businesses as CSV. Whatever keeps the rules of its cells can be created. */
export function businessesIn(businesses: BusinessesService): CsvIn<CreateBusinessRequest, CreateBusinessRequest> {
  return {
    rule: rowRule(cellRulesOf(businessFields), computedNamesOf(businessFields)),
    judge: async () => async (rows) => rows.map(({ fields }) => ({ type: 'new', fields })),
    create: (fields, context) => businesses.createBusiness(fields, context),
  }
}
