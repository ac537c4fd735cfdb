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

/** The feed: everything that has changed, and whatever changes. */
export function eventRoutes(feed: Feed): readonly Route[] {
  return [{ path: '/events', methods: { GET: list(feed) } }]
}

/** What a page takes: those of each service are of about a megabyte. */
const PAGE_BYTES = 8 * PIECE_BYTES

const SCOPES = [...new Set(Object.values(EVENT_TYPES).map(({ scope }) => scope))] as [Scope, ...Scope[]]

function list(feed: Feed) {
  return endpoint({
    operationId: 'listEvents',
    summary: 'List what has changed, oldest first',
    description:
      'Following `next` gives every event exactly once, those of each record in order, for ever. Filters are given again with each request. A key gets the events whose records its scopes read.',
    answers: documentListed(feedPageShape),
    scope: SCOPES,
    query: feedQuery,
    memory: PAGE_BYTES,
    answer: async ({ query: { wait, types: asked = [], ...query }, caller, context }) => {
      const types = readableTypes(asked, caller.scopes)
      const parts = [...new Set(types.map((type) => EVENT_TYPES[type]?.part))].filter((part) => part !== undefined)
      const until = performance.now() + wait * 1_000
      return await pageOrLater(feed, { query: { ...query, types }, parts, until }, context)
    },
  })
}

interface Asked {
  readonly query: FeedQuery
  readonly parts: readonly ServicePart[]
  /** When the caller stops waiting; see performance.now. */
  readonly until: number
}

async function pageOrLater(feed: Feed, asked: Asked, context: CallContext): Promise<Answer | Later> {
  const { query, parts, until } = asked
  const page = await feed.read(query, parts, context)
  const milliseconds = until - performance.now()
  const isReady = page.events.length > 0 || page.more || milliseconds <= 0 || feed.isStopping()
  if (isReady) return listed(feedPageJson(page), page.more ? { after: page.next } : undefined)
  return {
    wait: (signal) => feed.beyond(page.next, parts, { caller: context.actor, milliseconds, signal }),
    answer: (newContext) => pageOrLater(feed, { ...asked, query: { ...query, after: page.next } }, newContext),
  }
}
