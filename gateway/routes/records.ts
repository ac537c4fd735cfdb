import type { Scope } from '../../shared/api-keys/scopes.ts'
import { memoized } from '../../shared/async/memoized.ts'
import { createPace, PIECE_BYTES } from '../../shared/budget/pace.ts'
import { capitalised } from '../../shared/fields/rule.ts'
import type { Kind } from '../../shared/kinds/kind.ts'
import { methodsOf, type RecordMessage, type RecordMethods } from '../../shared/kinds/record-methods.ts'
import { KINDS, type KindName } from '../../shared/kinds/registry.ts'
import type { CalledServices } from '../../shared/kinds/services.ts'
import type { CsvColumns } from '../csv/columns.ts'
import { CSV_DESCRIPTION, csvFile, documentCsv } from '../csv/csv-file.ts'
import { type Walk, type WalkStep, walkList } from '../csv/list-walk.ts'
import { tablesOf } from '../csv/tables.ts'
import { documentFound, documentListed, NEWEST_FIRST } from '../openapi/documented.ts'
import { type KindSchemas, schemasOf } from '../records/kind-record.ts'
import { moment, pageQuery } from '../schemas/read-parameters.ts'
import { found, listed, present, written } from './answer.ts'
import { eventRecords } from './authors.ts'
import { forPiece } from './call-context.ts'
import { csvImportEndpoint } from './csv-import.ts'
import { endpoint, JSON_BODY, MERGE_PATCH_BODY, type Route, type Rule } from './endpoint.ts'
import { historyAnswer } from './long-history.ts'
import { nextPage } from './next-page.ts'

const MAX_PAGE_ROWS = 100

/** A kind with everything that its endpoints need. */
interface Served extends KindSchemas, Pick<Kind, 'many' | 'isClosable' | 'aboutCreation'> {
  readonly one: KindName
  readonly scopes: { readonly read: Scope; readonly write: Scope }
  readonly methods: RecordMethods
}

/** For every kind of record: list, create, get, edit, history, and CSV files. */
export function recordRoutes(services: CalledServices): readonly Route[] {
  return (Object.keys(KINDS) as KindName[]).flatMap((one) => kindRoutes(one, services))
}

function kindRoutes(one: KindName, services: CalledServices): readonly Route[] {
  const { many } = KINDS[one]
  const methods = methodsOf(one, services[many])
  const kind: Kind = KINDS[one]
  const scopes = { read: `${many}:read`, write: `${many}:write` } as const
  const served: Served = { ...kind, ...schemasOf(one), one, scopes, methods }
  const tables = tablesOf(one, kind, methods, services)
  const { list, get, file } = reads(served, tables.columns)
  const { create, edit } = writes(served)
  return [
    { path: `/${many}`, methods: { GET: list, POST: create } },
    { path: `/${many}/:id`, methods: { GET: get, PATCH: edit } },
    { path: `/${many}/:id/history`, methods: { GET: historyOf(served) } },
    { path: `/${many}.csv`, methods: { GET: file, POST: csvImportEndpoint(many, tables) } },
  ]
}

type Id = string | number
type Path = Rule<{ readonly id: Id }>
type Query = Walk<Id> & { readonly bom?: boolean | undefined }

/** An object that a service returns again is serialised only once. */
function reads({ one, many, scopes, shape, methods, ...kind }: Served, csv: CsvColumns) {
  const Many = capitalised(many)
  const toJson = memoized((record: RecordMessage) => JSON.stringify(kind.toRecord(record)))
  const toPageJson = memoized(
    (page: { readonly total: number }) =>
      `{"${many}":[${methods.recordsOf(page).map(toJson).join()}],"total":${page.total}}`,
  )
  return {
    list: endpoint({
      operationId: `list${Many}`,
      summary: `List ${many}`,
      description: NEWEST_FIRST,
      answers: documentListed(kind.page),
      scope: scopes.read,
      query: kind.listQuery as unknown as Rule<Query & { readonly limit: number }>,
      answer: async ({ query, context }) => {
        const page = await methods.list({ ...query, offset: query.offset ?? 0 }, context)
        const records = methods.recordsOf(page)
        const next = nextPage(query, { count: records.length, total: page.total, last: records.at(-1)?.id })
        return listed(toPageJson(page), next)
      },
    }),
    get: endpoint({
      operationId: `get${capitalised(one)}`,
      summary: `Get one ${one}`,
      answers: documentFound(shape),
      scope: scopes.read,
      path: kind.path as Path,
      query: moment,
      answer: async ({ path, query, context, ifNoneMatch }) => {
        const record = present(await methods.get({ id: path.id, asOf: query.asOf }, context))
        return found(toJson(record), record.version, ifNoneMatch)
      },
    }),
    file: endpoint({
      operationId: `export${Many}`,
      summary: `Download ${many} as CSV`,
      description: CSV_DESCRIPTION,
      answers: documentCsv(csv),
      scope: scopes.read,
      memory: PIECE_BYTES,
      query: kind.exportQuery as unknown as Rule<Query>,
      answer: async ({ query, context }) => {
        const list = async (step: WalkStep<Id>) =>
          methods.recordsOf(await methods.list({ ...query, ...step }, forPiece(context)))
        const rows = (records: readonly RecordMessage[]) => csv.rows(records, forPiece(context))
        const { bom = false } = query
        const pace = createPace(MAX_PAGE_ROWS)
        const readPage = walkList(list, query, pace)
        return csvFile({ name: `${many}.csv`, columns: csv.columns, rows, bom, readPage, pace })
      },
    }),
  }
}

function historyOf({ one, scopes, path, methods, ...kind }: Served) {
  return endpoint({
    operationId: `list${capitalised(one)}History`,
    summary: `List what happened to a ${one}, oldest first`,
    answers: documentListed(kind.historyPage),
    scope: scopes.read,
    memory: PIECE_BYTES,
    path: path as Path,
    query: pageQuery,
    answer: ({ path, query, context }, { apiKeys }) =>
      historyAnswer(query, async (page) => {
        const { events, total } = await methods.history({ id: path.id, ...page }, forPiece(context))
        return { events: await eventRecords(events, apiKeys, kind), total }
      }),
  })
}

function writes({ one, many, scopes, shape: schema, toRecord, computed, methods, ...kind }: Served) {
  const { aboutCreation } = kind
  return {
    create: endpoint({
      operationId: `create${capitalised(one)}`,
      summary: `Create a ${one}`,
      ...(aboutCreation !== undefined && { description: aboutCreation }),
      answers: { 201: { description: 'The record as it was created.', headers: [...WRITTEN, 'Location'], schema } },
      scope: scopes.write,
      body: { schema: kind.creation, computed, mediaTypes: JSON_BODY },
      answer: async ({ body, context }) => {
        const { record, replayed } = await methods.create(body, context)
        const message = present(record)
        return written({ message, toRecord, replayed, context }, `/${many}/${message.id}`)
      },
    }),
    edit: endpoint({
      operationId: `edit${capitalised(one)}`,
      summary: `Edit a ${one}`,
      description:
        'Send only the fields to change (a merge patch). `{}`, or values equal to the current ones, change nothing. With `If-Match`, the record is edited only at a version that it names: `"3"`, a list of such tags, or `*`.',
      answers: { 200: { description: 'The record after the edit.', headers: WRITTEN, schema } },
      scope: scopes.write,
      path: kind.path as Path,
      body: { schema: kind.changes, computed, mediaTypes: MERGE_PATCH_BODY },
      answer: async ({ path, body, expectedVersions, context }) => {
        const { record, replayed } = await methods.edit({ ...body, id: path.id, expectedVersions }, context)
        return written({ message: present(record), toRecord, replayed, context })
      },
    }),
  }
}

const WRITTEN = ['ETag', 'Idempotency-Replayed'] as const
