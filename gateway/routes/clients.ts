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

const list = endpoint({
  operationId: 'listClients',
  summary: 'List Client records',
  description: `${NEWEST_FIRST} A new or edited business appears here shortly after; \`GET /clients/{clientId}\` has it at once. Changes may arrive out of order of \`updatedAt\`: when polling with \`updatedSince\`, start some time before the last one seen.`,
  answers: documentListed(clientPage),
  scope: 'clients:read',
  query: clientListQuery,
  answer: async ({ query, context }, { clients }) => {
    const { clients: page, total } = await clients.listClients({ ...query, offset: query.offset ?? 0 }, context)
    const next = nextPage(query, { count: page.length, total, last: page.at(-1)?.clientId })
    return listed(JSON.stringify({ clients: page.map(clientRecord), total }), next)
  },
})

const names = endpoint({
  operationId: 'listClientNames',
  summary: 'Get the display names of several clients',
  description:
    'In the requested order. A new or edited business has its name here shortly after, as in `GET /clients`.',
  answers: { 200: { description: 'The names.', schema: clientNamesShape } },
  scope: 'clients:read',
  query: clientNamesQuery,
  answer: async ({ query, context }, { clients }) => {
    const clientIds = query.ids ?? query.clientIds ?? []
    const { names } = await clients.listClientNames({ clientIds: [...clientIds] }, context)
    return listed(JSON.stringify(clientNamesRecord(clientIds, names)))
  },
})

const get = endpoint({
  operationId: 'getClient',
  summary: 'Get one Client record',
  description:
    'Shows the business as it is now. While the businesses service is unavailable: its last known state, or 503 if there is none.',
  answers: documentFound(clientShape),
  scope: 'clients:read',
  path: clientPath,
  answer: async ({ path, context, ifNoneMatch }, { clients }) => {
    const client = present((await clients.getClient({ clientId: path.clientId }, context)).client)
    return found(JSON.stringify(clientRecord(client)), client.version, ifNoneMatch)
  },
})

/** Clients: list and get. They are built from the events of businesses, so nothing can be written here. */
export const clientRoutes: readonly Route[] = [
  { path: '/clients', methods: { GET: list } },
  { path: '/clients/names', methods: { GET: names } },
  { path: '/clients/:clientId', methods: { GET: get } },
]
