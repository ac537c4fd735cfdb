import { contractFields } from '../../shared/fields/contract-fields.ts'
import { computedNamesOf } from '../../shared/fields/field-table.ts'
import type { ClientsService } from '../../shared/gen/mint/contracts/v1/clients.ts'
import type { Contract, ContractsService } from '../../shared/gen/mint/contracts/v1/contracts.ts'
import { contractColumns } from '../csv/columns.ts'
import { contractsIn } from '../csv/in/contracts.ts'
import { contractHistoryPage, contractPage, contractRecord, contractShape } from '../records/contract-record.ts'
import * as rules from '../schemas/contract.ts'
import type { KeyNames } from './authors.ts'
import { csvInEndpoint } from './csv-in.ts'
import type { Route } from './endpoint.ts'
import { recordRoutes } from './records.ts'

/** The routes of contracts, backed by their service. */
export function contractRoutes(contracts: ContractsService, clients: ClientsService, keys: KeyNames): readonly Route[] {
  return recordRoutes(
    {
      one: 'contract',
      many: 'contracts',
      shape: contractShape,
      page: contractPage,
      historyPage: contractHistoryPage,
      isClosable: true,
      toRecord: contractRecord,
      path: rules.contractPath,
      listQuery: rules.contractListQuery,
      exportQuery: rules.contractExportQuery,
      newRecord: rules.newContract,
      changes: rules.contractChanges,
      computed: computedNamesOf(contractFields),
      csv: contractColumns(clients),
      csvIn: csvInEndpoint({
        many: 'contracts',
        kind: contractsIn(contracts, clients),
        example: EXAMPLE_FILE,
        aboutColumns: ABOUT_CLIENT,
      }),
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

const EXAMPLE_FILE =
  'client,serviceName,serviceType,serviceFee,taxPercent,serviceDate\r\nÉcole Montréal,Sales tax return,tax-filing,150,8.25,2026-01-31\r\n'

const ABOUT_CLIENT =
  '\n\nA row may name its `client` in place of, or beside, its `clientId`: the display name of exactly one Client, compared whole like the words of a search. Where both are given, `clientId` counts and `client` is not read. A reason in `Closing-Override` counts for every row in closed time.'
