import { toCommandContext } from '../../../shared/event-sourcing/command-context.ts'
import type { Page, Versioned } from '../../../shared/event-sourcing/ports/view.ts'
import { doneOrThrow } from '../../../shared/event-sourcing/rejections.ts'
import { codingStoreErrors } from '../../../shared/event-sourcing/store-errors.ts'
import { validated } from '../../../shared/fields/check.ts'
import type { ContractsService } from '../../../shared/gen/mint/contracts/v1/contracts.ts'
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

/** Checks what comes in, and says in coded errors what went wrong, whether it is called directly or over gRPC. */
export function createContractsService(
  commands: ContractCommands,
  queries: ContractQueries,
  logger: Logger,
): ContractsService {
  // A view answers a row or a page that it has kept as the same object again, and so the caller gets the same message.
  const messageOf = onceForEach((row: Versioned<Contract>) => contractMessage(row.state, row.version))
  const pageOf = onceForEach(({ rows, total }: Page<Contract>) => ({ contracts: rows.map(messageOf), total }))
  const service: ContractsService = {
    async getContract(request) {
      const { id, asOf } = validated(getContractRequest, request)
      const found = await queries.find(id, asOf)
      if (found === undefined) throw contractRejections['contract-not-found']()
      return { contract: messageOf(found) }
    },

    async listContractHistory(request) {
      const page = await queries.history(validated(listContractHistoryRequest, request))
      if (page === undefined) throw contractRejections['contract-not-found']()
      return { events: page.events.map(contractEventMessage), total: page.total }
    },

    async listContracts(request) {
      return pageOf(await queries.list(validated(listContractsRequest, request)))
    },

    async createContract(request, context) {
      const fields = validated(createContractRequest, request)
      return answer(await commands.create(fields, toCommandContext(context)))
    },

    async editContract(request, context) {
      const { id, ...changes } = validated(editContractRequest, request)
      const expectedVersions = request.expectedVersions?.versions
      return answer(await commands.edit({ id, changes, expectedVersions }, toCommandContext(context)))
    },
  }
  return codingStoreErrors(service, logger)
}

function answer(outcome: ContractOutcome) {
  const { state, version, replayed } = doneOrThrow(outcome, contractRejections)
  return { contract: contractMessage(state, version), replayed }
}
