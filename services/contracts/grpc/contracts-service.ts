import { toCommandContext } from '../../../shared/event-sourcing/command-context.ts'
import { doneOrThrow } from '../../../shared/event-sourcing/rejections.ts'
import { codingStoreErrors } from '../../../shared/event-sourcing/store-errors.ts'
import type { View } from '../../../shared/event-sourcing/view.ts'
import { validated } from '../../../shared/fields/validated.ts'
import type {
  ContractsService,
  CreateContractRequest,
  EditContractRequest,
  GetContractRequest,
  ListContractsRequest,
} from '../../../shared/gen/mint/contracts/v1/contracts.ts'
import type { Logger } from '../../../shared/logger.ts'
import type { CallContext } from '../../../shared/rpc/call-context.ts'
import type { ContractCommands, ContractOutcome } from '../contract/commands.ts'
import type { Contract } from '../contract/evolve.ts'
import { findContract, listContracts } from '../contract/queries.ts'
import { contractMessage } from './messages.ts'
import { contractRejections } from './rejections.ts'
import { createContractRequest, editContractRequest, getContractRequest, listContractsRequest } from './requests.ts'

/** mint.contracts.v1.ContractsService: checks what comes in, and says in coded errors what went wrong. */
export function createContractsService(
  commands: ContractCommands,
  view: View<Contract>,
  logger: Logger,
): ContractsService {
  const coded = codingStoreErrors(logger)
  return {
    getContract: coded(async (request: GetContractRequest) => {
      const { id } = validated(getContractRequest, request)
      const row = await findContract(view, id)
      if (row === undefined) throw contractRejections['contract-not-found']()
      return { contract: contractMessage(row.state, row.version) }
    }),

    listContracts: coded(async (request: ListContractsRequest) => {
      const { rows, total } = await listContracts(view, validated(listContractsRequest, request))
      return { contracts: rows.map((row) => contractMessage(row.state, row.version)), total }
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
