import { contractFields } from '../../shared/fields/contract-fields.ts'
import { computedNamesOf } from '../../shared/fields/field-table.ts'
import type { Contract, ContractsService } from '../../shared/gen/mint/contracts/v1/contracts.ts'
import { contractHistoryPage, contractPage, contractRecord, contractShape } from '../records/contract-record.ts'
import * as rules from '../schemas/contract.ts'
import type { KeyNames } from './authors.ts'
import type { Route } from './endpoint.ts'
import { recordRoutes } from './records.ts'

/** The routes of contracts, backed by their service. */
export function contractRoutes(contracts: ContractsService, keys: KeyNames): readonly Route[] {
  return recordRoutes(
    {
      one: 'contract',
      many: 'contracts',
      shape: contractShape,
      page: contractPage,
      historyPage: contractHistoryPage,
      toRecord: contractRecord,
      path: rules.contractPath,
      listQuery: rules.contractListQuery,
      exportQuery: rules.contractExportQuery,
      newRecord: rules.newContract,
      changes: rules.contractChanges,
      computed: computedNamesOf(contractFields),
      list: (query, context) => contracts.listContracts(query, context),
      recordsOf: (page) => page.contracts,
      get: (request, context) => contracts.getContract(request, context),
      create: (fields, context) => contracts.createContract(fields, context),
      edit: (request, context) => contracts.editContract(request, context),
      recordOf: (response: { readonly contract?: Contract | undefined }) => response.contract,
      history: (request, context) => contracts.listContractHistory(request, context),
    },
    keys,
  )
}
