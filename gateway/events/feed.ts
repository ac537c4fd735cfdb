import { setImmediate as nextTurn } from 'node:timers/promises'
import type { CallContext } from '../../shared/calls/call-context.ts'
import { newRequestId } from '../../shared/calls/ids.ts'
import { positionIn } from '../../shared/events/cursor.ts'
import type { Envelope } from '../../shared/events/envelope.ts'
import { createLogTail, type Wait } from '../../shared/events/log-tail.ts'
import { EVENT_TYPES } from '../../shared/events/types.ts'
import type { ListEventsRequest } from '../../shared/gen/mint/events/v1/events.ts'
import type { ServicePart } from '../../shared/kinds/kind.ts'
import type { CalledServices } from '../../shared/kinds/services.ts'
import { type Cursors, decodeCursors, encodeCursors } from './feed-cursor.ts'
import { mergePages } from './merge-pages.ts'

/** Which events to read. */
export interface FeedQuery extends Readonly<Omit<ListEventsRequest, 'after' | 'types'>> {
  /** A cursor, or `now`; the beginning when absent. */
  readonly after?: string | undefined
  /** All, if absent. */
  readonly types?: readonly string[] | undefined
}

export interface FeedPage {
  readonly events: readonly Envelope[]
  readonly next: string
  readonly more: boolean
}

export type Feed = ReturnType<typeof createFeed>

/** How long a service waits for an event: it lets such calls end before it stops. */
const MAX_WAIT_MILLISECONDS = 1_000

/** The logs of the services as one. */
export function createFeed(services: Pick<CalledServices, `${ServicePart}Events`>) {
  const stopping = new AbortController()
  const reads = new Map<string, Promise<FeedPage>>()
  const tails = { contracts: tailOf('contracts'), businesses: tailOf('businesses') }

  /** One call for all callers that wait. */
  function tailOf(part: ServicePart) {
    let last: string | undefined
    return createLogTail(async (milliseconds) => {
      const request = { after: last, waitMilliseconds: Math.min(MAX_WAIT_MILLISECONDS, Math.ceil(milliseconds)) }
      const own = { actor: 'mint/gateway', requestId: newRequestId() }
      // If this fails: the log may have been restored to a point before it.
      last = undefined
      ;({ cursor: last } = await services[`${part}Events`].getLatestCursor(request, own))
      return positionIn(last)
    })
  }

  async function latest(parts: readonly ServicePart[], context: CallContext): Promise<Cursors> {
    const cursors = parts.map(async (part) => {
      const { cursor } = await services[`${part}Events`].getLatestCursor({ waitMilliseconds: 0 }, context)
      return [part, cursor] as const
    })
    return Object.fromEntries(await Promise.all(cursors))
  }

  async function readPage(query: FeedQuery, parts: readonly ServicePart[], context: CallContext): Promise<FeedPage> {
    const { after: text, types, ...rest } = query
    const cursors = text === 'now' ? await latest(parts, context) : text === undefined ? {} : decodeCursors(text)
    const pages = parts.map(async (part) => {
      const { [part]: after } = cursors
      const ofPart = types?.filter((type) => EVENT_TYPES[type]?.part === part) ?? []
      const request = { ...rest, after: after ?? '', types: ofPart }
      return { part, after: after ?? '', page: await services[`${part}Events`].listEvents(request, context) }
    })
    const { events, next, more } = mergePages(await Promise.all(pages), rest.limit)
    // The cursors of parts that aren't read stay.
    return { events, next: encodeCursors({ ...cursors, ...next }), more }
  }

  async function beyond(next: string, parts: readonly ServicePart[], { signal: leaving, ...wait }: Wait) {
    const cursors = decodeCursors(next)
    const ended = new AbortController()
    const signal = AbortSignal.any([stopping.signal, ended.signal, ...(leaving ? [leaving] : [])])
    await Promise.race(parts.map((part) => tails[part].beyond(positionIn(cursors[part] ?? ''), { ...wait, signal })))
    ended.abort()
  }

  return {
    /**
     * The events of these parts after a cursor. Equal queries in one turn of the event loop, as from callers that were
     * woken together, share a read. Throws what the services throw, and validation_failed for a cursor of other logs.
     */
    read(query: FeedQuery, parts: readonly ServicePart[], context: CallContext): Promise<FeedPage> {
      const key = JSON.stringify([query, parts])
      const page =
        reads.get(key) ??
        nextTurn().then(() => {
          reads.delete(key)
          return readPage(query, parts, context)
        })
      reads.set(key, page)
      return page
    },
    /**
     * Resolves when these parts may have events after a cursor, the time is up, the signal is aborted, or the feed is
     * stopped.
     */
    beyond,
    /** Whether a caller that can wait must do so before a page is read: `beyond` then ends all its waits at once. */
    mustRest({ after, limit }: FeedQuery, parts: readonly ServicePart[], caller: string): boolean {
      if (after === undefined || after === 'now') return false
      const cursors = decodeCursors(after)
      const isPageReady = parts.some((part) => tails[part].eventsAfter(positionIn(cursors[part] ?? '')) >= limit)
      return !isPageReady && parts.some((part) => tails[part].mustRest(caller))
    },
    /** Ends all waits, and from then on every new one at once. */
    stop: () => stopping.abort(),
    isStopping: () => stopping.signal.aborted,
  }
}
