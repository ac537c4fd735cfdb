import { z } from 'zod'
import { CodedError } from '../../../shared/calls/errors.ts'
import { type CommandContext, toCommandContext } from '../../../shared/event-sourcing/command-context.ts'
import { foldWhole } from '../../../shared/event-sourcing/search-folding.ts'
import { validated } from '../../../shared/fields/check.ts'
import { clientType, wholeClientName } from '../../../shared/fields/client-fields.ts'
import { uuidLike } from '../../../shared/fields/identifiers.ts'
import { listRequest } from '../../../shared/fields/lists.ts'
import type { Client as ClientMessage, ClientsService } from '../../../shared/gen/mint/contracts/v1/clients.ts'
import { type ClientSources, orUnavailable } from '../client/business-reader.ts'
import { clientOf } from '../client/decide.ts'
import type { Client } from '../client/evolve.ts'

const getClientRequest = z.object({ clientId: uuidLike })
/** All Clients are businesses, so the type narrows nothing. */
const listClientsRequest = listRequest({ clientType: clientType.optional() }, uuidLike)

const MAX_NAMES = 1_000
const listClientsByNameRequest = z.object({ names: z.array(wholeClientName).max(MAX_NAMES) })
const listClientNamesRequest = z.object({ clientIds: z.array(uuidLike).max(MAX_NAMES) })

/** mint.contracts.v1.ClientsService. Read-only: Clients are only written from the topic. */
export function createClientsService({ view, businesses, logger }: ClientSources): ClientsService {
  async function fromBusinesses(clientId: string, context: CommandContext): Promise<Client> {
    const { requestId } = context
    const business = await orUnavailable(businesses.byClientId(clientId, context), { clientId, requestId, logger })
    if (business === undefined) throw new CodedError('not_found', 'There is no client with this id. Check the id.')
    return clientOf(business)
  }

  async function latestOf(client: Client, context: CommandContext): Promise<Client> {
    const business = await businesses.byClientIdIfReachable(client.clientId, context)
    return business && business.version > client.sourceVersion ? clientOf(business) : client
  }

  return {
    /** The Client as its business is now or, if the businesses service can't be reached, as last received. */
    async getClient(request, callContext) {
      const { clientId } = validated(getClientRequest, request)
      const row = await view.get(clientId)
      const context = toCommandContext(callContext)
      const client = row ? await latestOf(row.state, context) : await fromBusinesses(clientId, context)
      return { client: clientMessage(client) }
    },

    async listClients(request) {
      const { search, limit, offset, after, updatedSince } = validated(listClientsRequest, request)
      const between = { updatedAt: { from: updatedSince } }
      const { rows, total } = await view.list({ where: {}, between, search, limit, offset, after })
      return { clients: rows.map((row) => clientMessage(row.state)), total }
    },

    /** For each name, up to two clientIds that have it, compared whole and folded. */
    async listClientsByName(request) {
      const names = validated(listClientsByNameRequest, request).names.map(async (name) => {
        const where = { name: foldWhole(name) }
        const { rows } = await view.list({ where, search: '', limit: 2, offset: 0, withoutTotal: true })
        return { clientIds: rows.map(({ state }) => state.clientId) }
      })
      return { names: await Promise.all(names) }
    },

    /** '' for a client that the topic has not delivered. */
    async listClientNames(request) {
      const names = validated(listClientNamesRequest, request).clientIds.map(async (clientId) => {
        return (await view.get(clientId))?.state.displayName ?? ''
      })
      return { names: await Promise.all(names) }
    },
  }
}

/** The message of a client; its version is that of its business. */
function clientMessage(client: Client): ClientMessage {
  const { clientId, clientType, businessId, displayName, sourceVersion: version, createdAt, updatedAt } = client
  return { clientId, clientType, businessId, displayName, version, createdAt, updatedAt }
}
