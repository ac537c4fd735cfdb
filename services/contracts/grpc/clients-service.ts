import { z } from 'zod'
import { CodedError } from '../../../shared/calls/errors.ts'
import { codingStoreErrors } from '../../../shared/event-sourcing/store-errors.ts'
import { validated } from '../../../shared/fields/check.ts'
import { clientType, wholeClientName } from '../../../shared/fields/client-fields.ts'
import { uuidLike } from '../../../shared/fields/identifiers.ts'
import { listRequest } from '../../../shared/fields/lists.ts'
import type { Client as ClientMessage, ClientsService } from '../../../shared/gen/mint/contracts/v1/clients.ts'
import type { Logger } from '../../../shared/runtime/log/logger.ts'
import type { Client } from '../client/evolve.ts'
import type { ClientQueries } from '../client/queries.ts'

const getClientRequest = z.object({ clientId: uuidLike })
/** Clients of type business are all there are, so the type narrows nothing. */
const listClientsRequest = listRequest({ clientType: clientType.optional() }, uuidLike)

const MAX_ASKED = 1_000
const listClientsByNameRequest = z.object({ names: z.array(wholeClientName).max(MAX_ASKED) })
const listClientNamesRequest = z.object({ clientIds: z.array(uuidLike).max(MAX_ASKED) })

/** mint.contracts.v1.ClientsService: read only, for the topic alone writes clients. */
export function createClientsService(queries: ClientQueries, logger: Logger): ClientsService {
  const service: ClientsService = {
    async getClient(request, context) {
      const { clientId } = validated(getClientRequest, request)
      const client = await queries.find(clientId, context)
      if (client === undefined) throw new CodedError('not_found', 'There is no client of this id.')
      return { client: clientMessage(client) }
    },

    async listClients(request) {
      const { rows, total } = await queries.list(validated(listClientsRequest, request))
      return { clients: rows.map((row) => clientMessage(row.state)), total }
    },

    async listClientsByName(request) {
      const found = await queries.withNames(validated(listClientsByNameRequest, request).names)
      return { names: found.map((clientIds) => ({ clientIds: [...clientIds] })) }
    },

    async listClientNames(request) {
      return { names: [...(await queries.namesOf(validated(listClientNamesRequest, request).clientIds))] }
    },
  }
  return codingStoreErrors(service, logger)
}

/** A client as proto has it: its version is its business's. */
function clientMessage(client: Client): ClientMessage {
  const { clientId, clientType, businessId, displayName, sourceVersion: version, createdAt, updatedAt } = client
  return { clientId, clientType, businessId, displayName, version, createdAt, updatedAt }
}
