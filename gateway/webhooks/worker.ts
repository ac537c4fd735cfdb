import { setTimeout as delay } from 'node:timers/promises'
import { CodedError } from '../../shared/calls/errors.ts'
import type { Timed } from '../../shared/event-sourcing/event.ts'
import type { Envelope } from '../../shared/events/envelope.ts'
import { tracedAfter } from '../../shared/runtime/tracing/tracing.ts'
import type { WebhookEvent } from '../../shared/webhooks/events.ts'
import type { Webhook } from '../../shared/webhooks/evolve.ts'
import { type Progress, progressKey } from '../../shared/webhooks/progress.ts'
import { type AttemptOptions, attempt } from './attempt.ts'
import type { DeliveryLog } from './delivery-log.ts'
import { createHeld } from './held.ts'
import { createIntake } from './intake.ts'
import type { ReadPage } from './pages.ts'
import { BEFORE_ALL, createQueue, type Entry } from './queue.ts'
import { DAY, FAILING_AT_MOST, pauseAfter } from './schedule.ts'
import type { Answer } from './send.ts'
import type { DeliveryStore } from './store.ts'
import { TEST_TYPE, testEvent } from './test-event.ts'

/** How many deliveries to one receiver may be under way: those that fail are tried one at a time. */
const MOST_AT_ONCE = 8

/** How long to wait where the feed or the database is away, in milliseconds. */
const PAUSE = 1_000

/** How long stopping waits for deliveries under way, in milliseconds: what is cut is delivered again. */
const LAST_MOMENTS = 1_000

/** What all workers share. */
export interface WorkerSurroundings extends AttemptOptions {
  readonly store: DeliveryStore
  readonly readPage: ReadPage
  /** From 0 to 1. */
  readonly random: () => number
  /** Whether this process may still deliver. */
  readonly mayDeliver: () => boolean
  /** Pauses a webhook. Throws StoreUnavailable. */
  readonly pause: (id: string, reason: 'gone' | 'failing') => Promise<void>
  readonly onAttempt: (outcome: 'delivered' | 'failed') => void
}

/** What is stored of a webhook's deliveries. */
export interface StoredDeliveries {
  readonly progress: Progress
  /** In the order of their numbers. */
  readonly held: readonly Entry[]
  readonly log: DeliveryLog
}

export type Worker = ReturnType<typeof createWorker>

/** Delivers to one webhook. `current` returns it as it is now. */
export function createWorker(
  current: () => Webhook,
  { progress, held, log }: StoredDeliveries,
  surroundings: WorkerSurroundings,
) {
  const { store, readPage, clock, random, mayDeliver, pause, onAttempt } = surroundings
  const { id } = current()
  const queue = createQueue()
  const stored = createHeld(id, held, { queue, store })
  let { handled, replay, live, ...facts } = progress
  const intake = createIntake({ queue, readPage, isWanted, hold, clock }, replay ?? live)
  /** The rounds of the store in which the last deliveries of records become durable. */
  const delivered = new Map<string, number>()
  let atOnce = 1
  let isPausing = false
  /** Nothing is begun any more when it is `ending`, and nothing settled when it has `ended`, or was `deleted`. */
  let stage: 'working' | 'ending' | 'ended' | 'deleted' = 'working'
  let orders = Promise.resolve()
  let timer: NodeJS.Timeout | undefined
  let whenIdle: (() => void) | undefined

  function isWanted({ type }: Envelope): boolean {
    const { types } = current()
    return types.length === 0 || types.includes(type)
  }

  const maySettle = (): boolean => stage === 'working' || stage === 'ending'
  const mark = (): number => store.mark(collect)

  function collect(change: DeliveryStore['change']): void {
    if (stage === 'deleted') return
    log.collect(change)
    const lane = intake.lane()
    const lanes = replay ? { replay: { ...replay, ...lane }, live } : { replay, live: lane }
    for (const [record, round] of delivered) if (store.isDurable(round)) delivered.delete(record)
    const now: Progress = { handled, ...lanes, ...facts, waiting: queue.size() }
    change(progressKey(id), JSON.stringify(now))
  }

  function hold(entry: Entry): void {
    stored.put(entry)
    intake.settle(entry.id)
    mark()
  }

  /** Sends what may be sent, and reads on. */
  function work(): void {
    clearTimeout(timer)
    if (stage !== 'working') return
    const isSending = current().pausedReason === null && !isPausing && !whenIdle && mayDeliver()
    while (isSending && queue.sending() < atOnce) {
      const entry = queue.next(clock())
      if (entry === undefined) break
      void deliver(entry)
    }
    // Node's timers last 24 days at most.
    if (isSending && queue.sending() < atOnce) timer = setTimeout(work, Math.min(queue.dueAt() - clock(), DAY))
    if (replay && intake.isOver()) {
      replay = null
      intake.enter(live)
      mark()
    }
    if (!whenIdle && intake.canRead()) void readOn()
  }

  async function readOn(): Promise<void> {
    const hasEvents = await intake.read(async (error) => {
      if (isUnknownCursor(error) && stage === 'working') {
        orders = orders.then(beginAgain).catch(() => undefined)
        await orders
      }
      await delay(PAUSE)
    })
    if (hasEvents) mark()
    work()
  }

  /** The logs were restored to before its place: everything since its creation comes again. */
  async function beginAgain(): Promise<void> {
    const { next } = await readPage({ after: 'now' })
    // What is held up may never have happened in the logs as they are now.
    const times = queue.all().map(({ type, time }) => (type === TEST_TYPE ? Number.POSITIVE_INFINITY : time))
    await startReplay(
      times.reduce((first, time) => Math.min(first, time), current().createdAt),
      clock(),
    )
    live = { after: next, settled: [] }
    mark()
  }

  async function deliver(entry: Entry): Promise<void> {
    try {
      // Otherwise a crash could bring a record's earlier event again after a later one.
      if (!store.isDurable(delivered.get(entry.record) ?? 0)) await store.flush()
      const sent = { eventId: entry.id, body: await stored.bodyOf(entry) }
      // Meanwhile, another process may have delivered later ones.
      if (!maySettle() || !mayDeliver()) throw new Error('this process may not deliver any more')
      const at = clock()
      const begun = performance.now()
      const after = { kind: 'client', requests: [entry.traceparent] } as const
      const answer = await tracedAfter('deliver to webhook', after, async (span) => {
        const answered = await attempt(current(), { ...sent, traceparent: span?.traceparent }, surroundings)
        if (answered.reason !== null) span?.end({ 'error.type': String(answered.status ?? 'no answer') })
        return answered
      })
      if (maySettle()) settle(entry.id, at, { ...answer, milliseconds: Math.round(performance.now() - begun) })
    } catch {
      // The database is away, or the lease over: the event is as it was before.
      await delay(PAUSE)
    }
    queue.settle(entry.id)
    if (queue.sending() === 0) whenIdle?.()
    work()
  }

  function settle(eventId: string, at: number, { status, reason, retryAfter, milliseconds }: Attempted): void {
    const entry = queue.get(eventId)
    if (entry === undefined) return
    const attempt = entry.attempt + 1
    const nextAttemptAt = reason === null ? null : fail(entry, { attempt, at, status, reason, retryAfter })
    if (reason === null) {
      atOnce = Math.min(atOnce + 1, MOST_AT_ONCE)
      facts = { ...facts, lastDeliveredAt: clock(), failingSince: null }
      stored.remove(entry)
      intake.settle(eventId)
    }
    const { type, subject } = entry
    log.add({ eventId, type, subject, attempt, at, status, reason, milliseconds, nextAttemptAt })
    onAttempt(reason === null ? 'delivered' : 'failed')
    delivered.set(entry.record, mark())
  }

  /** Returns when the event is tried again; null: once somebody lets the webhook go on. */
  function fail(entry: Entry, { attempt, at, status, reason, retryAfter }: Failed): number | null {
    const now = clock()
    const failingSince = facts.failingSince ?? at
    const pausedAs = status === 410 ? 'gone' : now - failingSince >= FAILING_AT_MOST ? 'failing' : undefined
    const nextAttemptAt = pausedAs ? null : now + pauseAfter({ attempt, retryAfter, random: random() })
    atOnce = Math.max(1, Math.floor(atOnce / 2))
    facts = { ...facts, failingSince, lastFailure: { at, status, reason } }
    hold({ ...entry, attempt, dueAt: nextAttemptAt ?? BEFORE_ALL })
    for (const behind of queue.ofRecord(entry.record)) if (behind.number === undefined) hold(behind)
    if (pausedAs && !isPausing) {
      isPausing = true
      // One that can't be stored now is found out about by the next attempt.
      const paused = pause(id, pausedAs).catch(() => delay(PAUSE))
      void paused.finally(() => {
        isPausing = false
        work()
      })
    }
    return nextAttemptAt
  }

  function tryAllNow(): void {
    facts = { ...facts, failingSince: null }
    // What isn't stored has not been tried yet.
    for (const entry of queue.all().filter(({ number }) => number !== undefined)) {
      hold({ ...entry, attempt: 0, dueAt: Math.min(entry.dueAt, clock()) })
    }
  }

  /** Everything since then comes again, in its order, before what is new: what is held up of that time, too. */
  async function startReplay(since: number, at: number): Promise<void> {
    if (queue.sending() > 0) await new Promise<void>((resolve) => (whenIdle = resolve))
    whenIdle = undefined
    const again = queue.all().filter((entry) => entry.number !== undefined && isReplayed(entry, since))
    if (replay === null) live = intake.lane()
    replay = {
      since: Math.min(since, replay?.since ?? since),
      // If it is interrupted while it is stored, it begins anew, and what was held up is known no more.
      until: Math.max(at, clock(), replay?.until ?? at, ...again.map(({ time }) => time)),
      settled: [],
    }
    for (const entry of again) stored.remove(entry)
    intake.enter(replay)
  }

  async function carryOut(event: Timed<WebhookEvent>, version: number): Promise<void> {
    if (version <= handled || stage !== 'working') return
    if (event.type === 'WebhookTested.v1') hold(testEvent(id, event))
    if (event.type === 'WebhookReplayed.v1') await startReplay(event.data.since, event.at)
    if (event.type === 'WebhookResumed.v1' || event.type === 'WebhookEdited.v1') tryAllNow()
    handled = version
    mark()
    work()
  }

  return {
    work,
    /** Takes up what happened to the webhook, in the order of versions. */
    order(event: Timed<WebhookEvent>, version: number): void {
      orders = orders.then(() => carryOut(event, version))
    },
    /** Ends what is under way. `isDeleted`: at once, and nothing more is stored. */
    async stop({ isDeleted = false } = {}): Promise<void> {
      stage = isDeleted ? 'deleted' : 'ending'
      clearTimeout(timer)
      intake.stop()
      if (isDeleted) return
      if (queue.sending() > 0) {
        await Promise.race([new Promise<void>((resolve) => (whenIdle = resolve)), delay(LAST_MOMENTS)])
      }
      stage = 'ended'
    },
  }
}

const isUnknownCursor = (error: unknown): boolean =>
  error instanceof CodedError && error.violations.some(({ code }) => code === 'unknown_cursor')

const isReplayed = ({ time, type }: Entry, since: number): boolean => time >= since && type !== TEST_TYPE

type Attempted = Answer & { readonly milliseconds: number }
type Failed = Omit<Answer, 'reason'> & { readonly reason: string; readonly attempt: number; readonly at: number }
