import type { ClientsService } from '../../shared/gen/mint/contracts/v1/clients.ts'
import { documentFound, documentListed, NEWEST_FIRST } from '../openapi/documented.ts'
import {
  clientListQuery,
  clientNamesQuery,
  clientNamesRecord,
  clientNamesShape,
  clientPage,
  clientPath,
  clientRecord,
  clientShape,
} from '../records/client-record.ts'
import { found, listed, present } from './answer.ts'
import { endpoint, type Route } from './endpoint.ts'
import { nextPage } from './next-page.ts'

/** Clients: list and get. They are built from the events of businesses, so nothing can be written here. */
export function clientRoutes(clients: ClientsService): readonly Route[] {
  return [
    { path: '/clients', methods: { GET: list(clients) } },
    { path: '/clients/names', methods: { GET: names(clients) } },
    { path: '/clients/:clientId', methods: { GET: get(clients) } },
  ]
}

function list(clients: ClientsService) {
  return endpoint({
    operationId: 'listClients',
    summary: 'List Client records',
    description: `${NEWEST_FIRST} A new or edited business appears here shortly after; \`GET /clients/{clientId}\` has it at once. Changes may arrive out of order of \`updatedAt\`: when polling with \`updatedSince\`, start some time before the last one seen.`,
    answers: documentListed(clientPage),
    scope: 'clients:read',
    query: clientListQuery,
    answer: async ({ query, context }) => {
      const { clients: page, total } = await clients.listClients({ ...query, offset: query.offset ?? 0 }, context)
      const next = nextPage(query, { count: page.length, total, last: page.at(-1)?.clientId })
      return listed(JSON.stringify({ clients: page.map(clientRecord), total }), next)
    },
  })
}

function names(clients: ClientsService) {
  return endpoint({
    operationId: 'listClientNames',
    summary: 'Get the display names of several clients',
    description:
      'In the requested order. A new or edited business has its name here shortly after, as in `GET /clients`.',
    answers: { 200: { description: 'The names.', schema: clientNamesShape } },
    scope: 'clients:read',
    query: clientNamesQuery,
    answer: async ({ query, context }) => {
      const clientIds = query.ids ?? query.clientIds ?? []
      const { names } = await clients.listClientNames({ clientIds: [...clientIds] }, context)
      return listed(JSON.stringify(clientNamesRecord(clientIds, names)))
    },
  })
}

function get(clients: ClientsService) {
  return endpoint({
    operationId: 'getClient',
    summary: 'Get one Client record',
    description:
      'Shows the business as it is now. While the businesses service is unavailable: its last known state, or 503 if there is none.',
    answers: documentFound(clientShape),
    scope: 'clients:read',
    path: clientPath,
    answer: async ({ path, context, ifNoneMatch }) => {
      const client = present((await clients.getClient({ clientId: path.clientId }, context)).client)
      return found(JSON.stringify(clientRecord(client)), client.version, ifNoneMatch)
    },
  })
}
