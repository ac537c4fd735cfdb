import { businessFields } from '../../../shared/fields/business-fields.ts'
import { computedNamesOf, rulesOf } from '../../../shared/fields/field-table.ts'
import type { BusinessesService, CreateBusinessRequest } from '../../../shared/gen/mint/businesses/v1/businesses.ts'
import { isUnknownMethod } from '../../../shared/rpc/status.ts'
import type { CsvIn } from './kinds.ts'
import { rowRule } from './row-rule.ts'

/** During an upgrade the service may not have the method yet; then only the real run finds earlier requests. */
function unlessOlderService(error: unknown): { readonly verdicts: readonly [] } {
  if (!isUnknownMethod(error)) throw error
  return { verdicts: [] }
}

/** Businesses as CSV. Whatever keeps the rules of its cells can be created. */
export function businessesIn(businesses: BusinessesService): CsvIn<CreateBusinessRequest, CreateBusinessRequest> {
  return {
    rule: rowRule(rulesOf(businessFields, 'cellRule'), computedNamesOf(businessFields)),
    judge: async () => async (rows) => rows.map(({ fields }) => ({ type: 'new', fields })),
    findEarlier: async (rows, { context, inTime }) => {
      const answer = businesses.checkNewBusinesses({ businesses: [...rows] }, context())
      const { verdicts } = await inTime(answer, false).catch(unlessOlderService)
      return verdicts
    },
    create: (fields, context) => businesses.createBusiness(fields, context),
  }
}
