/** The requests of mint.contracts.v1 with the rules of their fields. */
import { z } from 'zod'
import { clientType } from '../../../shared/fields/business-fields.ts'
import { calendarDate } from '../../../shared/fields/calendar-date.ts'
import { contractFields } from '../../../shared/fields/contract-fields.ts'
import { contractNumber, uuidLike } from '../../../shared/fields/identifiers.ts'
import { limit, listRequest, offset } from '../../../shared/fields/lists.ts'
import { timestamp } from '../../../shared/fields/timestamp.ts'
import type { ContractFields } from '../contract/events.ts'

export const getContractRequest = z.object({ id: contractNumber, asOf: timestamp.optional() })

export const listContractHistoryRequest = z.object({ id: contractNumber, limit, offset })

export const listContractsRequest = listRequest(
  {
    clientId: uuidLike.optional(),
    serviceDateFrom: calendarDate.optional(),
    serviceDateTo: calendarDate.optional(),
  },
  contractNumber,
)

export const createContractRequest = z.object(contractFields satisfies Record<keyof ContractFields, z.ZodType>)

export const editContractRequest = createContractRequest.partial().extend({ id: contractNumber })

export const getClientRequest = z.object({ clientId: uuidLike })

/** Clients of type business are all there are, so the type narrows nothing. */
export const listClientsRequest = listRequest({ clientType: clientType.optional() }, uuidLike)
