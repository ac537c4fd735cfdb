import type { ClientsService } from '../../shared/gen/mint/contracts/v1/clients.ts'
import { documentFound, documentListed, NEWEST_FIRST } from '../openapi/documented.ts'
import { clientPage, clientRecord, clientShape } from '../records/client-record.ts'
import { clientListQuery, clientPath } from '../schemas/client.ts'
import { found, listed, present } from './answer.ts'
import { endpoint, type Route } from './endpoint.ts'

/** Clients: list and get. They come from the events of businesses, so nothing is written here. */
export function clientRoutes(clients: ClientsService): readonly Route[] {
  return [
    { path: '/clients', methods: { GET: list(clients) } },
    { path: '/clients/:clientId', methods: { GET: get(clients) } },
  ]
}

function list(clients: ClientsService) {
  return endpoint({
    operationId: 'listClients',
    summary: 'List Client records',
    description: `${NEWEST_FIRST} A new business, or what changes of one, is here shortly after; \`GET /clients/{clientId}\` has it at once. They come in no order of \`updatedAt\`: whoever polls with \`updatedSince\` asks from some time before the last one seen.`,
    answers: documentListed(clientPage),
    scope: 'clients:read',
    query: clientListQuery,
    answer: async ({ query, context }) => {
      const page = await clients.listClients({ ...query, offset: query.offset ?? 0 }, context)
      return listed(JSON.stringify({ clients: page.clients.map(clientRecord), total: page.total }))
    },
  })
}

function get(clients: ClientsService) {
  return endpoint({
    operationId: 'getClient',
    summary: 'Get one Client record',
    description:
      'As its business is now. While the businesses service is away: as it was last heard of, or 503 where it never was.',
    answers: documentFound(clientShape),
    scope: 'clients:read',
    path: clientPath,
    answer: async ({ path, context, ifNoneMatch }) => {
      const client = present((await clients.getClient({ clientId: path.clientId }, context)).client)
      return found(JSON.stringify(clientRecord(client)), client.version, ifNoneMatch)
    },
  })
}
