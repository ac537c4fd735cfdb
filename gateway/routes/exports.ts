import type { CallContext } from '../../shared/call-context.ts'
import type { BusinessesService } from '../../shared/gen/mint/businesses/v1/businesses.ts'
import type { ContractsService } from '../../shared/gen/mint/contracts/v1/contracts.ts'
import { CSV_DESCRIPTION, csvFile, documentCsv } from '../csv/csv-file.ts'
import { type WalkStep, walkList } from '../csv/list-walk.ts'
import { createOneAtATime, type OneAtATime } from '../http/one-at-a-time.ts'
import { businessRecord, businessShape } from '../records/business-record.ts'
import { contractRecord, contractShape } from '../records/contract-record.ts'
import { businessExportQuery } from '../schemas/business.ts'
import { contractExportQuery } from '../schemas/contract.ts'
import { endpoint, type Route } from './endpoint.ts'

/** The lists as CSV files. However many are asked for, a service is asked for one page at a time. */
export function exportRoutes(contracts: ContractsService, businesses: BusinessesService): readonly Route[] {
  return [
    { path: '/contracts.csv', methods: { GET: exportContracts(contracts, createOneAtATime()) } },
    { path: '/businesses.csv', methods: { GET: exportBusinesses(businesses, createOneAtATime()) } },
  ]
}

function exportContracts(contracts: ContractsService, turns: OneAtATime) {
  return endpoint({
    operationId: 'exportContracts',
    summary: 'Download contracts as CSV',
    description: CSV_DESCRIPTION,
    answers: documentCsv(contractShape),
    scope: 'contracts:read',
    query: contractExportQuery,
    answer: async ({ query, context }) => {
      const list = async (step: WalkStep<number>) =>
        (await contracts.listContracts({ ...query, ...step }, untimed(context))).contracts
      const pages = walkList(list, query)
      return csvFile({ name: 'contracts.csv', record: contractShape, toRecord: contractRecord, pages, turns })
    },
  })
}

function exportBusinesses(businesses: BusinessesService, turns: OneAtATime) {
  return endpoint({
    operationId: 'exportBusinesses',
    summary: 'Download businesses as CSV',
    description: CSV_DESCRIPTION,
    answers: documentCsv(businessShape),
    scope: 'businesses:read',
    query: businessExportQuery,
    answer: async ({ query, context }) => {
      const list = async (step: WalkStep<string>) =>
        (await businesses.listBusinesses({ ...query, ...step }, untimed(context))).businesses
      const pages = walkList(list, query)
      return csvFile({ name: 'businesses.csv', record: businessShape, toRecord: businessRecord, pages, turns })
    },
  })
}

/** Each page has its own time: a deadline for the whole would cut long files. */
function untimed({ deadline: _, ...context }: CallContext): CallContext {
  return context
}
