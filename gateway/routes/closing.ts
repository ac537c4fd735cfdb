import { documentFound, documentListed } from '../openapi/documented.ts'
import {
  closingHistoryPage,
  closingRecord,
  closingShape,
  computedClosingFields,
  newClosing,
} from '../records/closing-record.ts'
import { pageQuery } from '../schemas/read-parameters.ts'
import { found, listed, present, written } from './answer.ts'
import { endpoint, JSON_BODY, type Route } from './endpoint.ts'
import { nextPage } from './next-page.ts'

const get = endpoint({
  operationId: 'getClosing',
  summary: 'Get the day through which the books are closed',
  description: 'All fields are null, and the ETag is `"0"`, until the books are first closed.',
  answers: documentFound(closingShape),
  scope: 'contracts:read',
  answer: async ({ context, ifNoneMatch }, { closing: service, apiKeys: keys }) => {
    const { closing } = await service.getClosing({}, context)
    return found(JSON.stringify(await closingRecord(closing, keys)), closing?.version ?? 0, ifNoneMatch)
  },
})

const set = endpoint({
  operationId: 'setClosing',
  summary: 'Close the books up to a day, or reopen them',
  description:
    'Contracts whose serviceDate is on or before that day can no longer be created or edited, except with a key that has the scope `closing:override` and a reason in `Closing-Override`. This takes effect with the answer, in every process. Setting the same values again changes nothing.',
  answers: {
    200: { description: 'The closing.', headers: ['ETag', 'Idempotency-Replayed'], schema: closingShape },
  },
  scope: 'closing:write',
  body: { schema: newClosing, computed: computedClosingFields, mediaTypes: JSON_BODY },
  answer: async ({ body, expectedVersions, context }, { closing: service, apiKeys: keys }) => {
    const request = { closedThrough: body.closedThrough ?? undefined, reason: body.reason, expectedVersions }
    const { closing, replayed } = await service.setClosing(request, context)
    // The closing is set: a name that can't be read now must not make it look like a failure.
    const record = await closingRecord(closing, { nameOf: (id) => keys.nameOf(id).catch(() => null) })
    return written({ message: present(closing), toRecord: () => record, replayed, context })
  },
})

const history = endpoint({
  operationId: 'listClosingHistory',
  summary: 'List every change to the closing, oldest first',
  answers: documentListed(closingHistoryPage),
  scope: 'contracts:read',
  query: pageQuery,
  answer: async ({ query, context }, { closing: service, apiKeys: keys }) => {
    const { closings, total } = await service.listClosingHistory(query, context)
    const events = closings.map(async (one) => ({ version: one.version, ...(await closingRecord(one, keys)) }))
    const next = nextPage(query, { count: closings.length, total })
    return listed(JSON.stringify({ events: await Promise.all(events), total }), next)
  },
})

/** The closing of the books: get, set, its history. */
export const closingRoutes: readonly Route[] = [
  { path: '/closing', methods: { GET: get, PUT: set } },
  { path: '/closing/history', methods: { GET: history } },
]
