import { computedContractFields } from '../../shared/fields/contract-fields.ts'
import type { Contract, ContractsService, ListContractsResponse } from '../../shared/gen/mint/contracts/v1/contracts.ts'
import { onceForEach } from '../../shared/once-for-each.ts'
import {
  ABOUT_EDITS,
  documentCreated,
  documentEdited,
  documentFound,
  documentListed,
  NEWEST_FIRST,
} from '../openapi/documented.ts'
import { contractHistoryPage, contractPage, contractRecord, contractShape } from '../records/contract-record.ts'
import { pageJson, type RecordJson, recordJson } from '../records/record-json.ts'
import { contractChanges, contractListQuery, contractPath, newContract } from '../schemas/contract.ts'
import { historyPage, moment } from '../schemas/read-parameters.ts'
import { found, listed, present, written } from './answer.ts'
import { eventRecords, type KeyNames } from './authors.ts'
import { endpoint, JSON_BODY, MERGE_PATCH_BODY, type Route } from './endpoint.ts'

/** Contracts: list, create, get, edit, and their history. */
export function contractRoutes(contracts: ContractsService, keys: KeyNames): readonly Route[] {
  const json = recordJson(contractRecord)
  return [
    { path: '/contracts', methods: { GET: list(contracts, json), POST: create(contracts) } },
    { path: '/contracts/:id', methods: { GET: get(contracts, json), PATCH: edit(contracts) } },
    { path: '/contracts/:id/history', methods: { GET: history(contracts, keys) } },
  ]
}

function list(contracts: ContractsService, json: RecordJson<Contract>) {
  const ofPage = onceForEach((page: ListContractsResponse) =>
    pageJson('contracts', page.contracts.map(json), page.total),
  )
  return endpoint({
    operationId: 'listContracts',
    summary: 'List contracts',
    description: NEWEST_FIRST,
    answers: documentListed(contractPage),
    scope: 'contracts:read',
    query: contractListQuery,
    answer: async ({ query, context }) => {
      const page = await contracts.listContracts({ ...query, offset: query.offset ?? 0 }, context)
      return listed(ofPage(page))
    },
  })
}

function get(contracts: ContractsService, json: RecordJson<Contract>) {
  return endpoint({
    operationId: 'getContract',
    summary: 'Get one contract',
    answers: documentFound(contractShape),
    scope: 'contracts:read',
    path: contractPath,
    query: moment,
    answer: async ({ path, query, context, ifNoneMatch }) => {
      const response = await contracts.getContract({ id: path.id, asOf: query.asOf }, context)
      const contract = present(response.contract)
      return found(json(contract), contract.version, ifNoneMatch)
    },
  })
}

function history(contracts: ContractsService, keys: KeyNames) {
  return endpoint({
    operationId: 'listContractHistory',
    summary: 'List what happened to a contract, oldest first',
    answers: documentListed(contractHistoryPage),
    scope: 'contracts:read',
    path: contractPath,
    query: historyPage,
    answer: async ({ path, query, context }) => {
      const { events, total } = await contracts.listContractHistory({ id: path.id, ...query }, context)
      return listed(JSON.stringify({ events: await eventRecords(events, keys, contractRecord), total }))
    },
  })
}

function create(contracts: ContractsService) {
  return endpoint({
    operationId: 'createContract',
    summary: 'Create a contract',
    answers: documentCreated(contractShape),
    scope: 'contracts:write',
    body: { schema: newContract, computed: computedContractFields, mediaTypes: JSON_BODY },
    answer: async ({ body, context }) => {
      const { contract, replayed } = await contracts.createContract(body, context)
      const message = present(contract)
      return written({ message, toRecord: contractRecord, replayed, context }, `/contracts/${message.id}`)
    },
  })
}

function edit(contracts: ContractsService) {
  return endpoint({
    operationId: 'editContract',
    summary: 'Edit a contract',
    description: ABOUT_EDITS,
    answers: documentEdited(contractShape),
    scope: 'contracts:write',
    path: contractPath,
    body: { schema: contractChanges, computed: computedContractFields, mediaTypes: MERGE_PATCH_BODY },
    answer: async ({ path, body, expectedVersions, context }) => {
      const versions = expectedVersions && { versions: [...expectedVersions] }
      const request = { ...body, id: path.id, expectedVersions: versions }
      const { contract, replayed } = await contracts.editContract(request, context)
      return written({ message: present(contract), toRecord: contractRecord, replayed, context })
    },
  })
}
