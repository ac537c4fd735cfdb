import type { CallContext } from '../../../shared/call-context.ts'
import { toCommandContext } from '../../../shared/event-sourcing/command-context.ts'
import type { Page, Versioned } from '../../../shared/event-sourcing/ports/view.ts'
import { doneOrThrow } from '../../../shared/event-sourcing/rejections.ts'
import { codingStoreErrors } from '../../../shared/event-sourcing/store-errors.ts'
import { validated } from '../../../shared/fields/validated.ts'
import type {
  ContractsService,
  CreateContractRequest,
  EditContractRequest,
  GetContractRequest,
  ListContractHistoryRequest,
  ListContractsRequest,
} from '../../../shared/gen/mint/contracts/v1/contracts.ts'
import type { Logger } from '../../../shared/logger.ts'
import { onceForEach } from '../../../shared/once-for-each.ts'
import type { ContractCommands, ContractOutcome } from '../contract/commands.ts'
import type { Contract } from '../contract/evolve.ts'
import type { ContractQueries } from '../contract/queries.ts'
import { contractEventMessage, contractMessage } from './messages.ts'
import { contractRejections } from './rejections.ts'
import {
  createContractRequest,
  editContractRequest,
  getContractRequest,
  listContractHistoryRequest,
  listContractsRequest,
} from './requests.ts'

/**
 * mint.contracts.v1.ContractsService, whether it is called directly or over gRPC: checks what comes in, and says in
 * coded errors what went wrong.
 */
export function createContractsService(
  commands: ContractCommands,
  queries: ContractQueries,
  logger: Logger,
): ContractsService {
  const coded = codingStoreErrors(logger)
  // A view answers a row or a page that it has kept as the same object again, and so the caller gets the same message.
  const answerOf = onceForEach(({ state, version }: Versioned<Contract>) => ({
    contract: contractMessage(state, version),
  }))
  const pageOf = onceForEach(({ rows, total }: Page<Contract>) => ({
    contracts: rows.map((row) => answerOf(row).contract),
    total,
  }))
  return {
    getContract: coded(async (request: GetContractRequest) => {
      const { id, asOf } = validated(getContractRequest, request)
      const found = await queries.find(id, asOf)
      if (found === undefined) throw contractRejections['contract-not-found']()
      return answerOf(found)
    }),

    listContractHistory: coded(async (request: ListContractHistoryRequest) => {
      const page = await queries.history(validated(listContractHistoryRequest, request))
      if (page === undefined) throw contractRejections['contract-not-found']()
      return { events: page.events.map(contractEventMessage), total: page.total }
    }),

    listContracts: coded(async (request: ListContractsRequest) => {
      return pageOf(await queries.list(validated(listContractsRequest, request)))
    }),

    createContract: coded(async (request: CreateContractRequest, context?: CallContext) => {
      const fields = validated(createContractRequest, request)
      return answer(await commands.create(fields, toCommandContext(context)))
    }),

    editContract: coded(async (request: EditContractRequest, context?: CallContext) => {
      const { id, ...changes } = validated(editContractRequest, request)
      const expectedVersions = request.expectedVersions?.versions
      return answer(await commands.edit({ id, changes, expectedVersions }, toCommandContext(context)))
    }),
  }
}

function answer(outcome: ContractOutcome) {
  const { state, version, replayed } = doneOrThrow(outcome, contractRejections)
  return { contract: contractMessage(state, version), replayed }
}
