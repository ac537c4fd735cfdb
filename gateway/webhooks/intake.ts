import { memoized } from '../../shared/async/memoized.ts'
import { type Envelope, structured } from '../../shared/events/envelope.ts'
import type { Checkpoint, Replay } from '../../shared/webhooks/progress.ts'
import type { FeedPage } from '../events/feed.ts'
import type { ReadPage } from './pages.ts'
import type { Entry, Queue } from './queue.ts'

/** How many events may be in flight to a receiver, so that one that is down takes little memory and storage. */
const WINDOW = 1_000

/** How long an event may be in flight before it is stored as held up, so that the cursor can advance. */
const HELD_AFTER_MILLISECONDS = 1_000

interface IntakeOptions {
  readonly queue: Queue
  readonly readPage: ReadPage
  readonly isWanted: (event: Envelope) => boolean
  /** Stores an event of the queue as held up, and calls `settle`. */
  readonly hold: (entry: Entry) => void
  readonly clock: () => number
}

/** A page of the feed of which some events are in flight. */
interface OpenPage {
  readonly next: string
  /** The ids of its events that are neither delivered nor stored. */
  readonly unsettled: Set<string>
  readonly settled: string[]
  readonly timer: NodeJS.Timeout
}

/** Reads the feed from a checkpoint into a queue, page by page, and tracks up to where all events are settled. */
export function createIntake({ queue, readPage, isWanted, hold, clock }: IntakeOptions, first: Checkpoint | Replay) {
  let checkpoint = first
  let ahead = checkpoint.after
  /** Settled before the checkpoint was entered. */
  let known = new Set(checkpoint.settled)
  let pages: OpenPage[] = []
  let isRead = false
  let entered = 0
  /** What `entered` was when the read in progress began. */
  let readingAt: number | undefined

  function take({ events, next, more }: FeedPage): void {
    ahead = next
    isRead = 'since' in checkpoint && !more
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
    advance()
  }

  function holdAll(ids: Iterable<string>): void {
    for (const id of [...ids]) {
      const entry = queue.get(id)
      if (entry) hold(entry)
    }
  }

  function advance(): void {
    while (pages[0]?.unsettled.size === 0) {
      checkpoint = { ...checkpoint, after: pages[0].next }
      clearTimeout(pages.shift()?.timer)
    }
  }

  return {
    /** What to store, for a restart to resume from. */
    checkpoint: (): Checkpoint => ({ ...checkpoint, settled: [...known, ...pages.flatMap(({ settled }) => settled)] }),
    /** Whether a replay is over. */
    isOver: (): boolean => isRead && pages.length === 0,
    /** Continues from another checkpoint. Takes what was read and is not settled out of the queue. */
    enter(next: Checkpoint | Replay): void {
      for (const { timer, unsettled } of pages) {
        clearTimeout(timer)
        for (const id of unsettled) {
          const entry = queue.get(id)
          if (entry) queue.remove(entry)
        }
      }
      checkpoint = next
      ahead = checkpoint.after
      known = new Set(checkpoint.settled)
      pages = []
      isRead = false
      entered++
    },
    /** Whether another page can be read now. */
    canRead: (): boolean => readingAt !== entered && !isRead && queue.size() < WINDOW,
    /**
     * Reads a page, and takes it unless `enter` was called meanwhile. Awaits `onFailure` before the next. Returns whether
     * the page has events, of any type: then the cursor has advanced, or will.
     */
    async read(onFailure: (error: unknown) => Promise<void>): Promise<boolean> {
      const at = entered
      readingAt = at
      const times = 'since' in checkpoint ? { since: checkpoint.since, until: checkpoint.until } : {}
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
      advance()
    },
    stop(): void {
      entered++
      for (const { timer } of pages) clearTimeout(timer)
    },
  }
}

/** Serialised once for all webhooks. */
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
