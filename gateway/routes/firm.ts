import { PIECE_BYTES } from '../../shared/budget/pace.ts'
import { documentFound, documentListed } from '../openapi/documented.ts'
import {
  computedFirmFields,
  firmChanges,
  firmHistoryPage,
  firmMoment,
  firmRecord,
  firmShape,
} from '../records/firm-record.ts'
import { pageQuery } from '../schemas/read-parameters.ts'
import { found, present, written } from './answer.ts'
import { eventRecords } from './authors.ts'
import { forPiece } from './call-context.ts'
import { endpoint, MERGE_PATCH_BODY, type Route } from './endpoint.ts'
import { historyAnswer } from './long-history.ts'

const get = endpoint({
  operationId: 'getFirm',
  summary: 'Get the firm whose books these are',
  description: 'Texts are empty, `updatedAt` is null, and the ETag is `"0"`, until the record is first edited.',
  answers: documentFound(firmShape),
  scope: undefined,
  query: firmMoment,
  answer: async ({ query, context, ifNoneMatch }, { firm: service }) => {
    const firm = present((await service.getFirm(query, context)).firm)
    return found(JSON.stringify(firmRecord(firm)), firm.version, ifNoneMatch)
  },
})

const edit = endpoint({
  operationId: 'editFirm',
  summary: 'Edit the firm’s record',
  description:
    'Send only the fields to change (a merge patch); `""` clears one. `currency` is a label, and converts nothing: it decides how many decimals `billed` has in reports, from then on. `timeZone` decides which day today is, for contracts that are created without a date.',
  answers: {
    200: { description: 'The record after the edit.', headers: ['ETag', 'Idempotency-Replayed'], schema: firmShape },
  },
  scope: 'firm:write',
  body: { schema: firmChanges, computed: computedFirmFields, mediaTypes: MERGE_PATCH_BODY },
  answer: async ({ body, expectedVersions, context }, { firm: service }) => {
    const { firm, replayed } = await service.editFirm({ ...body, expectedVersions }, context)
    return written({ message: present(firm), toRecord: firmRecord, replayed, context })
  },
})

const history = endpoint({
  operationId: 'listFirmHistory',
  summary: 'List what happened to the firm’s record, oldest first',
  answers: documentListed(firmHistoryPage),
  scope: 'contracts:read',
  memory: PIECE_BYTES,
  query: pageQuery,
  answer: ({ query, context }, { firm: service, apiKeys }) =>
    historyAnswer(query, async (page) => {
      const { events, total } = await service.listFirmHistory(page, forPiece(context))
      return { events: await eventRecords(events, apiKeys, { toRecord: firmRecord }), total }
    }),
})

/** The firm's record: get, edit, its history. */
export const firmRoutes: readonly Route[] = [
  { path: '/firm', methods: { GET: get, PATCH: edit } },
  { path: '/firm/history', methods: { GET: history } },
]
