import type { Scope } from '../../shared/api-keys/scopes.ts'
import { PIECE_BYTES } from '../../shared/budget/pace.ts'
import type { CallContext } from '../../shared/calls/call-context.ts'
import { EVENT_TYPES, readableTypes } from '../../shared/events/types.ts'
import type { ServicePart } from '../../shared/kinds/kind.ts'
import type { Feed, FeedQuery } from '../events/feed.ts'
import { documentListed } from '../openapi/documented.ts'
import { feedPageJson, feedPageShape, feedQuery } from '../records/feed-page.ts'
import { type Answer, type Later, listed } from './answer.ts'
import { endpoint, type Route } from './endpoint.ts'

/** What a page takes in memory: about a megabyte for each service. */
const PAGE_BYTES = 8 * PIECE_BYTES

const SCOPES = [...new Set(Object.values(EVENT_TYPES).map(({ scope }) => scope))] as [Scope, ...Scope[]]

const list = endpoint({
  operationId: 'listEvents',
  summary: 'List what has changed, oldest first',
  description:
    'Following `next` gives every event exactly once, those of each record in order, for ever. Repeat the filters with each request. A key gets the events whose records its scopes read.',
  answers: documentListed(feedPageShape),
  scope: SCOPES,
  query: feedQuery,
  memory: PAGE_BYTES,
  answer: async ({ query: { wait, types: given = [], ...query }, caller, context }, { feed }) => {
    const types = readableTypes(given, caller.scopes)
    const parts = [...new Set(types.map((type) => EVENT_TYPES[type]?.part))].filter((part) => part !== undefined)
    const request = { query: { ...query, types }, parts, until: performance.now() + wait * 1_000 }
    if (wait > 0 && feed.mustRest(request.query, parts, context.actor)) return later(feed, request, context)
    return await pageOrLater(feed, request, context)
  },
})

interface FeedRequest {
  readonly query: FeedQuery
  readonly parts: readonly ServicePart[]
  /** When the caller stops waiting; see performance.now. */
  readonly until: number
}

async function pageOrLater(feed: Feed, request: FeedRequest, context: CallContext): Promise<Answer | Later> {
  const { query, parts, until } = request
  const page = await feed.read(query, parts, context)
  const isReady = page.events.length > 0 || page.more || until <= performance.now() || feed.isStopping()
  if (isReady) return listed(feedPageJson(page), page.more ? { after: page.next } : undefined)
  return later(feed, { ...request, query: { ...query, after: page.next } }, context)
}

/** Answers once there may be events, or without any when the time is up. */
function later(feed: Feed, request: FeedRequest, { actor: caller }: CallContext): Later {
  const { query, parts, until } = request
  const { after = '' } = query
  return {
    wait: (signal) => feed.beyond(after, parts, { caller, milliseconds: until - performance.now(), signal }),
    answer: (context) => pageOrLater(feed, request, context),
  }
}

/** The feed of all changes, past and new. */
export const eventRoutes: readonly Route[] = [{ path: '/events', methods: { GET: list } }]
