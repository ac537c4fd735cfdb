import { computedBusinessFields } from '../../shared/fields/business-fields.ts'
import type {
  Business,
  BusinessesService,
  ListBusinessesResponse,
} from '../../shared/gen/mint/businesses/v1/businesses.ts'
import { onceForEach } from '../../shared/once-for-each.ts'
import {
  ABOUT_EDITS,
  documentCreated,
  documentEdited,
  documentFound,
  documentListed,
  NEWEST_FIRST,
} from '../openapi/documented.ts'
import { businessHistoryPage, businessPage, businessRecord, businessShape } from '../records/business-record.ts'
import { pageJson, type RecordJson, recordJson } from '../records/record-json.ts'
import { businessChanges, businessListQuery, businessPath, newBusiness } from '../schemas/business.ts'
import { historyPage, moment } from '../schemas/read-parameters.ts'
import { found, listed, present, written } from './answer.ts'
import { eventRecords, type KeyNames } from './authors.ts'
import { endpoint, JSON_BODY, MERGE_PATCH_BODY, type Route } from './endpoint.ts'

/** Businesses: list, create, get, edit, and their history. */
export function businessRoutes(businesses: BusinessesService, keys: KeyNames): readonly Route[] {
  const json = recordJson(businessRecord)
  return [
    { path: '/businesses', methods: { GET: list(businesses, json), POST: create(businesses) } },
    { path: '/businesses/:id', methods: { GET: get(businesses, json), PATCH: edit(businesses) } },
    { path: '/businesses/:id/history', methods: { GET: history(businesses, keys) } },
  ]
}

function list(businesses: BusinessesService, json: RecordJson<Business>) {
  const ofPage = onceForEach((page: ListBusinessesResponse) =>
    pageJson('businesses', page.businesses.map(json), page.total),
  )
  return endpoint({
    operationId: 'listBusinesses',
    summary: 'List businesses',
    description: NEWEST_FIRST,
    answers: documentListed(businessPage),
    scope: 'businesses:read',
    query: businessListQuery,
    answer: async ({ query, context }) => {
      const page = await businesses.listBusinesses({ ...query, offset: query.offset ?? 0 }, context)
      return listed(ofPage(page))
    },
  })
}

function get(businesses: BusinessesService, json: RecordJson<Business>) {
  return endpoint({
    operationId: 'getBusiness',
    summary: 'Get one business',
    answers: documentFound(businessShape),
    scope: 'businesses:read',
    path: businessPath,
    query: moment,
    answer: async ({ path, query, context, ifNoneMatch }) => {
      const response = await businesses.getBusiness({ id: path.id, asOf: query.asOf }, context)
      const business = present(response.business)
      return found(json(business), business.version, ifNoneMatch)
    },
  })
}

function history(businesses: BusinessesService, keys: KeyNames) {
  return endpoint({
    operationId: 'listBusinessHistory',
    summary: 'List what happened to a business, oldest first',
    answers: documentListed(businessHistoryPage),
    scope: 'businesses:read',
    path: businessPath,
    query: historyPage,
    answer: async ({ path, query, context }) => {
      const { events, total } = await businesses.listBusinessHistory({ id: path.id, ...query }, context)
      return listed(JSON.stringify({ events: await eventRecords(events, keys, businessRecord), total }))
    },
  })
}

function create(businesses: BusinessesService) {
  return endpoint({
    operationId: 'createBusiness',
    summary: 'Create a business',
    description: 'The business is also a Client, with `clientType` `business` and the `clientId` that is answered.',
    answers: documentCreated(businessShape),
    scope: 'businesses:write',
    body: { schema: newBusiness, computed: computedBusinessFields, mediaTypes: JSON_BODY },
    answer: async ({ body, context }) => {
      const { business, replayed } = await businesses.createBusiness(body, context)
      const message = present(business)
      return written({ message, toRecord: businessRecord, replayed, context }, `/businesses/${message.id}`)
    },
  })
}

function edit(businesses: BusinessesService) {
  return endpoint({
    operationId: 'editBusiness',
    summary: 'Edit a business',
    description: ABOUT_EDITS,
    answers: documentEdited(businessShape),
    scope: 'businesses:write',
    path: businessPath,
    body: { schema: businessChanges, computed: computedBusinessFields, mediaTypes: MERGE_PATCH_BODY },
    answer: async ({ path, body, expectedVersions, context }) => {
      const versions = expectedVersions && { versions: [...expectedVersions] }
      const request = { ...body, id: path.id, expectedVersions: versions }
      const { business, replayed } = await businesses.editBusiness(request, context)
      return written({ message: present(business), toRecord: businessRecord, replayed, context })
    },
  })
}
