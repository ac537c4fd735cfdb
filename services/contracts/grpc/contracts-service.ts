import { z } from 'zod'
import { onceForEach } from '../../../shared/async/once-for-each.ts'
import { CodedError } from '../../../shared/calls/errors.ts'
import { toCommandContext } from '../../../shared/event-sourcing/command-context.ts'
import { type HistoryEvent, sameFields } from '../../../shared/event-sourcing/history.ts'
import type { Page, Versioned } from '../../../shared/event-sourcing/ports/view.ts'
import { doneOrThrow, type RejectionTable } from '../../../shared/event-sourcing/rejections.ts'
import { codingStoreErrors } from '../../../shared/event-sourcing/store-errors.ts'
import { calendarDate } from '../../../shared/fields/calendar-date.ts'
import { invalidRequest, validated } from '../../../shared/fields/check.ts'
import { clientName } from '../../../shared/fields/client-fields.ts'
import { HOW_TO_OVERRIDE_CLOSING } from '../../../shared/fields/closing-fields.ts'
import { contractFields } from '../../../shared/fields/contract-fields.ts'
import { rulesOf, type SameNames } from '../../../shared/fields/field-table.ts'
import { contractNumber, uuidLike } from '../../../shared/fields/identifiers.ts'
import { limit, listRequest, offset } from '../../../shared/fields/lists.ts'
import type { ViolationCode } from '../../../shared/fields/rule.ts'
import { timestamp } from '../../../shared/fields/timestamp.ts'
import type {
  ContractEvent as ContractEventMessage,
  Contract as ContractMessage,
  ContractsService,
} from '../../../shared/gen/mint/contracts/v1/contracts.ts'
import type { Logger } from '../../../shared/runtime/log/logger.ts'
import type { ContractCommands, ContractOutcome } from '../contract/commands.ts'
import type { ContractRejection } from '../contract/decide.ts'
import { type ContractEvent, type ContractFields, fieldsSet } from '../contract/events.ts'
import type { Contract } from '../contract/evolve.ts'
import type { ContractQueries } from '../contract/queries.ts'
import { checkNewContracts } from './check-new-contracts.ts'

const getContractRequest = z.object({ id: contractNumber, asOf: timestamp.optional() })
const listContractHistoryRequest = z.object({ id: contractNumber, limit, offset })
const listContractsRequest = listRequest(
  {
    clientId: uuidLike.optional(),
    clientName: clientName.optional(),
    serviceType: contractFields.serviceType.rule.optional(),
    serviceDateFrom: calendarDate.optional(),
    serviceDateTo: calendarDate.optional(),
  },
  contractNumber,
)
const rules = rulesOf(contractFields, 'rule')
const createContractRequest = z.object(rules satisfies SameNames<typeof rules, ContractFields>)
const editContractRequest = createContractRequest.partial().extend({ id: contractNumber })

/** What the callers of the contracts service are told when the domain refuses. */
const contractRejections = {
  'contract-not-found': () => new CodedError('not_found', 'There is no contract of this id.'),
  'client-unknown': () =>
    invalidRequest([
      {
        pointer: '/clientId',
        code: 'unknown_client' satisfies ViolationCode,
        message: 'There is no client of this id. Create its business first, or correct the id.',
      },
    ]),
  'client-is-business': ({ clientId }: { readonly clientId: string }) =>
    invalidRequest([
      {
        pointer: '/clientId',
        code: 'business_id' satisfies ViolationCode,
        message: `This is the id of a business, not its clientId. Give its clientId: ${clientId}.`,
      },
    ]),
  'period-closed': ({ closedThrough }: { readonly closedThrough: string }) =>
    new CodedError('period_closed', `The books are closed through ${closedThrough}. ${HOW_TO_OVERRIDE_CLOSING}`),
} satisfies RejectionTable<ContractRejection>

const toError = (rejection: ContractRejection): CodedError => contractRejections[rejection.type](rejection as never)

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

    async checkNewContracts(request, context) {
      const parts = { commands, rule: createContractRequest, toError }
      return { verdicts: await checkNewContracts(parts, request.contracts, toCommandContext(context)) }
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

/** A contract as proto has it. */
function contractMessage(
  contract: Contract & SameNames<Contract, Omit<ContractMessage, 'version'>>,
  version: number,
): ContractMessage {
  return { ...contract, version }
}

/** An event as proto has it, with everything that it set, times too, and what that was before. */
function contractEventMessage(happened: HistoryEvent<Contract, ContractEvent>): ContractEventMessage {
  const { version, by, event, before } = happened
  const { type, at } = event
  const created = type === 'ContractCreated.v1' ? { createdAt: at } : {}
  const data = { ...fieldsSet(event.data), ...created, updatedAt: at }
  const { overrideReason } = event.data
  const message = { version, type, at, by, data, before: sameFields(before, data) }
  return overrideReason === undefined ? message : { ...message, overrideReason }
}
