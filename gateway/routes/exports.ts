import type { CallContext } from '../../shared/call-context.ts'
import type { BusinessesService } from '../../shared/gen/mint/businesses/v1/businesses.ts'
import type { ContractsService } from '../../shared/gen/mint/contracts/v1/contracts.ts'
import { CSV_DESCRIPTION, csvFile, documentCsv } from '../csv/csv-file.ts'
import { type WalkStep, walkList } from '../csv/list-walk.ts'
import { createTurns, type Turns } from '../http/turns.ts'
import { businessRecord, businessShape } from '../records/business-record.ts'
import { contractRecord, contractShape } from '../records/contract-record.ts'
import { businessExportQuery } from '../schemas/business.ts'
import { contractExportQuery } from '../schemas/contract.ts'
import { nothing } from '../schemas/no-parameters.ts'
import { endpoint, type Route } from './endpoint.ts'

/** However many files are asked for, so many pages of them are read at once: one while the other is on its way. */
const PAGES_AT_ONCE = 2

/** The lists as CSV files. */
export function exportRoutes(contracts: ContractsService, businesses: BusinessesService): readonly Route[] {
  const turns = createTurns(PAGES_AT_ONCE)
  return [
    { path: '/contracts.csv', methods: { GET: exportContracts(contracts, turns) } },
    { path: '/businesses.csv', methods: { GET: exportBusinesses(businesses, turns) } },
  ]
}

function exportContracts(contracts: ContractsService, turns: Turns) {
  return endpoint({
    operationId: 'exportContracts',
    summary: 'Download contracts as CSV',
    description: CSV_DESCRIPTION,
    answers: documentCsv(contractShape),
    scope: 'contracts:read',
    path: nothing,
    query: contractExportQuery,
    answer: async ({ query, context }) => {
      const list = async (step: WalkStep<number>) => {
        const page = await contracts.listContracts({ ...query, ...step }, untimed(context))
        return page.contracts.map(contractRecord)
      }
      return csvFile({ name: 'contracts.csv', record: contractShape, pages: walkList(list, query), turns })
    },
  })
}

function exportBusinesses(businesses: BusinessesService, turns: Turns) {
  return endpoint({
    operationId: 'exportBusinesses',
    summary: 'Download businesses as CSV',
    description: CSV_DESCRIPTION,
    answers: documentCsv(businessShape),
    scope: 'businesses:read',
    path: nothing,
    query: businessExportQuery,
    answer: async ({ query, context }) => {
      const list = async (step: WalkStep<string>) => {
        const page = await businesses.listBusinesses({ ...query, ...step }, untimed(context))
        return page.businesses.map(businessRecord)
      }
      return csvFile({ name: 'businesses.csv', record: businessShape, pages: walkList(list, query), turns })
    },
  })
}

/** Each page has its own time: a deadline for the whole would cut long files. */
function untimed({ deadline: _, ...context }: CallContext): CallContext {
  return context
}
