import { z } from 'zod'
import { SCOPES } from '../api-keys/scopes.ts'
import { createWaker } from '../async/waker.ts'
import type { CallContext } from '../calls/call-context.ts'
import type { EventStore } from '../event-sourcing/ports/event-store.ts'
import { codingStoreErrors } from '../event-sourcing/store-errors.ts'
import { validated } from '../fields/check.ts'
import { principal } from '../fields/identifiers.ts'
import { rowsLimit } from '../fields/lists.ts'
import { timestamp } from '../fields/timestamp.ts'
import type { Event, EventsServiceService, FollowEventsRequest } from '../gen/mint/events/v1/events.ts'
import type { ServiceOf } from '../kinds/services.ts'
import type { Logger } from '../runtime/log/logger.ts'
import { cursorAfter, cursorAt, FIRST_CURSOR, positionIn, positionOf } from './cursor.ts'
import { createLogTail } from './log-tail.ts'
import { createPageReader, type EventPage, type EventQuery, type ReadPageOptions } from './read-page.ts'
import { EVENT_TYPES, readableTypes } from './types.ts'

export interface EventsServiceOptions extends ReadPageOptions {
  readonly events: EventStore
  readonly logger: Logger
}

export type EventsService = ServiceOf<EventsServiceService>

/** How often the head of the log is read while callers wait, since other processes append, too. */
const POLL_MILLISECONDS = 15
/** How long a stream waits before it checks whether its caller is still connected. */
const WAIT_MILLISECONDS = 1_000
/** How many events a stream sends at a time. */
const EVENTS_PER_PIECE = 100

const filters = {
  types: z.array(z.string()),
  by: principal.optional(),
  since: timestamp.optional(),
  until: timestamp.optional(),
}
const listEventsRequest = z.object({ after: z.string(), limit: rowsLimit, ...filters })
const getLatestCursorRequest = z.object({ after: z.string().optional(), waitMilliseconds: z.int().min(0).max(4_000) })

/** mint.events.v1.EventsService of one part. */
export function createEventsService({ logger, ...options }: EventsServiceOptions): EventsService {
  const { events, published } = options
  const readPage = createPageReader(options)
  const waker = createWaker()
  events.onAppended(waker.wake)
  const tail = createLogTail(async (milliseconds) => {
    await waker.sleep(Math.min(POLL_MILLISECONDS, milliseconds))
    return await events.head()
  })

  /** Without scopes, the caller is one of Mint's own processes, which checks what its callers may read. */
  function queryOf(request: EventQuery, { scopes = SCOPES }: Pick<CallContext, 'scopes'> = {}): EventQuery {
    const types = readableTypes(request.types, scopes).filter((type) => EVENT_TYPES[type]?.part === published.part)
    return { ...request, types }
  }

  async function* pieces(request: FollowEventsRequest, context?: CallContext) {
    let [after, more] = [request.after, true]
    const wait = { caller: context?.actor ?? '', milliseconds: WAIT_MILLISECONDS }
    const read = async () => {
      const piece = await coded.listEvents({ ...request, after, limit: EVENTS_PER_PIECE }, context)
      ;({ next: after, more } = piece)
      return piece.events.length > 0 ? piece : undefined
    }
    for (;;) yield more || (await tail.beyond(positionIn(after), wait)) ? read : NOTHING
  }

  const service: EventsService = {
    async listEvents(request, context) {
      const { after, limit, ...filter } = validated(listEventsRequest, request)
      // Before the cursor is read: if this throws, nobody awaits that read.
      const query = queryOf(filter, context)
      // Reads the page while the cursor is checked, since a wrong one is rare.
      const [, { events: found, through, isLast }] = await Promise.all([
        positionOf(after, events),
        readPage(query, { after: positionIn(after), limit }),
      ])
      const last = found.at(-1)?.event
      const next = last?.position === through ? cursorAfter(last) : await cursorAt(through, events)
      return { events: found.map(toMessage), next, more: !isLast }
    },

    async getLatestCursor(request, context) {
      const { after, waitMilliseconds: milliseconds } = validated(getLatestCursorRequest, request)
      // Not even how many events there are, and when one happens, is for a key that may see none of them.
      const { types } = queryOf({ types: [] }, context)
      if (types.length === 0) return { cursor: FIRST_CURSOR }
      const wait = { caller: context?.actor ?? '', milliseconds }
      if (after !== undefined) await tail.beyond(await positionOf(after, events), wait)
      return { cursor: await cursorAt(await events.head(), events) }
    },

    followEvents: async (request, context) => pieces(request, context),
  }
  const coded = codingStoreErrors(service, logger)
  return coded
}

const NOTHING = async (): Promise<undefined> => undefined

const toMessage = ({ event, envelope }: EventPage['events'][number]): Event => ({
  ...envelope,
  cursor: cursorAfter(event),
})
