import { memoized } from '../../shared/async/memoized.ts'
import { type Envelope, structured } from '../../shared/events/envelope.ts'
import type { Lane, Replay } from '../../shared/webhooks/progress.ts'
import type { FeedPage } from '../events/feed.ts'
import type { ReadPage } from './pages.ts'
import type { Entry, Queue } from './queue.ts'

/** How many events may be on their way to a receiver, so that one that is away takes little memory and storage. */
const WINDOW = 1_000

/** How long an event may be on its way before it is stored as held up, so that the place in the feed moves on. */
const HELD_AFTER_MILLISECONDS = 1_000

interface IntakeOptions {
  readonly queue: Queue
  readonly readPage: ReadPage
  readonly isWanted: (event: Envelope) => boolean
  /** Stores an event of the queue as held up, and calls `settle`. */
  readonly hold: (entry: Entry) => void
  readonly clock: () => number
}

/** A page of the feed that is on its way. */
interface OpenPage {
  readonly next: string
  /** The ids of its events that are neither delivered nor stored. */
  readonly unsettled: Set<string>
  readonly settled: string[]
  readonly timer: NodeJS.Timeout
}

/** Takes the events of a lane of the feed into a queue, page after page, and knows up to where all are settled. */
export function createIntake({ queue, readPage, isWanted, hold, clock }: IntakeOptions, first: Lane | Replay) {
  let lane = first
  let ahead = lane.after
  /** Settled before the lane was entered. */
  let known = new Set(lane.settled)
  let pages: OpenPage[] = []
  let isRead = false
  let entered = 0
  /** What `entered` was when the read under way began. */
  let readingAt: number | undefined

  function take({ events, next, more }: FeedPage): void {
    ahead = next
    isRead = 'since' in lane && !more
    const settled: string[] = []
    const entries: Entry[] = []
    for (const event of events) {
      if (known.delete(event.id)) settled.push(event.id)
      else if (isWanted(event) && !queue.get(event.id)) entries.push(toEntry(event, clock()))
    }
    const unsettled = new Set(entries.map(({ id }) => id))
    const timer = setTimeout(() => holdAll(unsettled), HELD_AFTER_MILLISECONDS)
    pages.push({ next, unsettled, settled, timer })
    for (const entry of entries) {
      const isBehindHeld = queue.ofRecord(entry.record).some(({ number }) => number !== undefined)
      queue.put(entry)
      if (isBehindHeld) hold(entry)
    }
    moveOn()
  }

  function holdAll(ids: Iterable<string>): void {
    for (const id of [...ids]) {
      const entry = queue.get(id)
      if (entry) hold(entry)
    }
  }

  function moveOn(): void {
    while (pages[0]?.unsettled.size === 0) {
      lane = { ...lane, after: pages[0].next }
      clearTimeout(pages.shift()?.timer)
    }
  }

  return {
    /** Where it is: stored, it is where to begin again. */
    lane: (): Lane => ({ ...lane, settled: [...known, ...pages.flatMap(({ settled }) => settled)] }),
    /** Whether a replay is over. */
    isOver: (): boolean => isRead && pages.length === 0,
    /** Begins at another place. What was read and is not settled is taken out of the queue. */
    enter(next: Lane | Replay): void {
      for (const { timer, unsettled } of pages) {
        clearTimeout(timer)
        for (const id of unsettled) {
          const entry = queue.get(id)
          if (entry) queue.remove(entry)
        }
      }
      lane = next
      ahead = lane.after
      known = new Set(lane.settled)
      pages = []
      isRead = false
      entered++
    },
    /** Whether another page can be read now. */
    canRead: (): boolean => readingAt !== entered && !isRead && queue.size() < WINDOW,
    /**
     * Reads a page, and takes it unless another place was entered meanwhile. Waits for `onFailure` before the next. Returns
     * whether it has events, of whatever type: its place has moved, or will.
     */
    async read(onFailure: (error: unknown) => Promise<void>): Promise<boolean> {
      const at = entered
      readingAt = at
      const times = 'since' in lane ? { since: lane.since, until: lane.until } : {}
      let hasEvents = false
      try {
        const page = await readPage({ after: ahead, ...times })
        if (at === entered) take(page)
        hasEvents = page.events.length > 0
      } catch (error) {
        await onFailure(error)
      }
      if (readingAt === at) readingAt = undefined
      return hasEvents
    },
    /** An event is delivered, or stored. */
    settle(id: string): void {
      pages.find(({ unsettled }) => unsettled.delete(id))?.settled.push(id)
      moveOn()
    },
    stop(): void {
      entered++
      for (const { timer } of pages) clearTimeout(timer)
    },
  }
}

/** One text for all webhooks. */
const bodyOf = memoized(structured)

const toEntry = (event: Envelope, now: number): Entry => ({
  id: event.id,
  type: event.type,
  subject: event.subject,
  record: `${event.source} ${event.subject}`,
  time: event.time,
  attempt: 0,
  dueAt: now,
  traceparent: event.traceparent,
  body: bodyOf(event),
})
