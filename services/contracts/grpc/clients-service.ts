import { codingStoreErrors } from '../../../shared/event-sourcing/store-errors.ts'
import { validated } from '../../../shared/fields/check.ts'
import type { ClientsService } from '../../../shared/gen/mint/contracts/v1/clients.ts'
import type { Logger } from '../../../shared/logger.ts'
import type { ClientQueries } from '../client/queries.ts'
import { clientMessage } from './messages.ts'
import { clientNotFound } from './rejections.ts'
import { getClientRequest, listClientsRequest } from './requests.ts'

/** mint.contracts.v1.ClientsService: read only, for the topic alone writes clients. */
export function createClientsService(queries: ClientQueries, logger: Logger): ClientsService {
  const service: ClientsService = {
    async getClient(request, context) {
      const { clientId } = validated(getClientRequest, request)
      const client = await queries.find(clientId, context)
      if (client === undefined) throw clientNotFound()
      return { client: clientMessage(client) }
    },

    async listClients(request) {
      const { rows, total } = await queries.list(validated(listClientsRequest, request))
      return { clients: rows.map((row) => clientMessage(row.state)), total }
    },
  }
  return codingStoreErrors(service, logger)
}
