import { onceForEach } from '../../shared/async/once-for-each.ts'
import { capitalised } from '../../shared/fields/rule.ts'
import { CSV_DESCRIPTION, csvFile, documentCsv } from '../csv/csv-file.ts'
import { type Walk, type WalkStep, walkList } from '../csv/list-walk.ts'
import { createPace, PIECE_BYTES } from '../csv/pace.ts'
import { documentFound, documentListed, NEWEST_FIRST } from '../openapi/documented.ts'
import { historyPage, moment } from '../schemas/read-parameters.ts'
import { found, listed, present, written } from './answer.ts'
import { eventRecords, type KeyNames } from './authors.ts'
import { forPiece } from './call-context.ts'
import { endpoint, JSON_BODY, MERGE_PATCH_BODY, type Route } from './endpoint.ts'
import { historyAnswer } from './long-history.ts'
import type { History, Message, Reads, Writes } from './record-kinds.ts'

/** What a list answers at most. */
const LONGEST_PAGE = 100

/** Records that can be created and edited: list, create, get, edit, their history, and the list as a CSV file. */
export function recordRoutes<
  Id extends string | number,
  Record extends Message<Id>,
  Page extends { readonly total: number },
  Query extends Walk<Id> & { readonly bom?: boolean | undefined },
  New,
  Changes,
  Fields,
  Response,
>(
  kind: Reads<Id, Record, Page, Query, Response> & Writes<Id, Record, New, Changes, Response> & History<Id, Fields>,
  keys: KeyNames,
): readonly Route[] {
  const { many } = kind
  const { list, get, file } = reads(kind)
  const { create, edit } = writes(kind)
  return [
    { path: `/${many}`, methods: { GET: list, POST: create } },
    { path: `/${many}/:id`, methods: { GET: get, PATCH: edit } },
    { path: `/${many}/:id/history`, methods: { GET: historyOf(kind, keys) } },
    { path: `/${many}.csv`, methods: { GET: file, POST: kind.csvIn } },
  ]
}

/** What a service answers again as the same object is made into JSON once. */
function reads<
  Id extends string | number,
  Record extends Message<Id>,
  Page extends { readonly total: number },
  Query extends Walk<Id> & { readonly bom?: boolean | undefined },
  Response,
>(kind: Reads<Id, Record, Page, Query, Response>) {
  const { one, many, shape, toRecord, recordsOf, csv } = kind
  const [Many, scope] = [capitalised(many), `${many}:read` as const]
  const toJson = onceForEach((record: Record) => JSON.stringify(toRecord(record)))
  const toPageJson = onceForEach(
    (page: Page) => `{"${many}":[${recordsOf(page).map(toJson).join()}],"total":${page.total}}`,
  )
  return {
    list: endpoint({
      operationId: `list${Many}`,
      summary: `List ${many}`,
      description: NEWEST_FIRST,
      answers: documentListed(kind.page),
      scope,
      query: kind.listQuery,
      answer: async ({ query, context }) =>
        listed(toPageJson(await kind.list({ ...query, offset: query.offset ?? 0 }, context))),
    }),
    get: endpoint({
      operationId: `get${capitalised(one)}`,
      summary: `Get one ${one}`,
      answers: documentFound(shape),
      scope,
      path: kind.path,
      query: moment,
      answer: async ({ path, query, context, ifNoneMatch }) => {
        const record = present(kind.recordOf(await kind.get({ id: path.id, asOf: query.asOf }, context)))
        return found(toJson(record), record.version, ifNoneMatch)
      },
    }),
    file: endpoint({
      operationId: `export${Many}`,
      summary: `Download ${many} as CSV`,
      description: CSV_DESCRIPTION,
      answers: documentCsv(csv),
      scope,
      memory: PIECE_BYTES,
      query: kind.exportQuery,
      answer: async ({ query, context }) => {
        const list = async (step: WalkStep<Id>) => recordsOf(await kind.list({ ...query, ...step }, forPiece(context)))
        const rows = (records: readonly Record[]) => csv.rows(records, forPiece(context))
        const { bom = false } = query
        const pace = createPace(LONGEST_PAGE)
        const pages = walkList(list, query, pace)
        return csvFile({ name: `${many}.csv`, columns: csv.columns, rows, bom, pages, pace })
      },
    }),
  }
}

function historyOf<Id, Fields>({ one, many, path, ...kind }: History<Id, Fields>, keys: KeyNames) {
  return endpoint({
    operationId: `list${capitalised(one)}History`,
    summary: `List what happened to a ${one}, oldest first`,
    answers: documentListed(kind.historyPage),
    scope: `${many}:read`,
    memory: PIECE_BYTES,
    path,
    query: historyPage,
    answer: ({ path, query, context }) =>
      historyAnswer(query, async (page) => {
        const { events, total } = await kind.history({ id: path.id, ...page }, forPiece(context))
        return { events: await eventRecords(events, keys, kind), total }
      }),
  })
}

function writes<Id, Record extends Message<Id>, New, Changes, Response>(
  kind: Writes<Id, Record, New, Changes, Response>,
) {
  const { one, many, shape: schema, toRecord, path, computed, aboutCreation } = kind
  const scope = `${many}:write` as const
  return {
    create: endpoint({
      operationId: `create${capitalised(one)}`,
      summary: `Create a ${one}`,
      ...(aboutCreation !== undefined && { description: aboutCreation }),
      answers: { 201: { description: 'The record as it was created.', headers: [...WRITTEN, 'Location'], schema } },
      scope,
      body: { schema: kind.newRecord, computed, mediaTypes: JSON_BODY },
      answer: async ({ body, context }) => {
        const response = await kind.create(body, context)
        const message = present(kind.recordOf(response))
        return written({ message, toRecord, replayed: response.replayed, context }, `/${many}/${message.id}`)
      },
    }),
    edit: endpoint({
      operationId: `edit${capitalised(one)}`,
      summary: `Edit a ${one}`,
      description:
        'Send only the fields to change (a merge patch). `{}`, or values that are there already, change nothing. With `If-Match` the edit happens only at the version that it names: `"3"`, a list of such, or `*`.',
      answers: { 200: { description: 'The record after the edit.', headers: WRITTEN, schema } },
      scope,
      path,
      body: { schema: kind.changes, computed, mediaTypes: MERGE_PATCH_BODY },
      answer: async ({ path, body, expectedVersions: versions, context }) => {
        const expectedVersions = versions && { versions: [...versions] }
        const response = await kind.edit({ ...body, id: path.id, expectedVersions }, context)
        return written({ message: present(kind.recordOf(response)), toRecord, replayed: response.replayed, context })
      },
    }),
  }
}

const WRITTEN = ['ETag', 'Idempotency-Replayed'] as const
