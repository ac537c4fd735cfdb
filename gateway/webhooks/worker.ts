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
import { DAY, MAX_FAILING_MILLISECONDS, pauseAfter } from './schedule.ts'
import type { Answer } from './send.ts'
import type { DeliveryStore } from './store.ts'
import { TEST_TYPE, testEvent } from './test-event.ts'

/** How many deliveries to one receiver may be in flight; while they fail, one at a time is tried. */
const MAX_IN_FLIGHT = 8

/** How long to wait when the feed or the database is unavailable. */
const RETRY_MILLISECONDS = 1_000

/** How long stopping waits for deliveries in flight: those that are cut off are repeated. */
const STOP_MILLISECONDS = 1_000

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
  let concurrency = 1
  let isPausing = false
  /** `ending`: no delivery is started. `ended`, `deleted`: none is settled either. */
  let stage: 'working' | 'ending' | 'ended' | 'deleted' = 'working'
  let commands = Promise.resolve()
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
    const checkpoint = intake.checkpoint()
    const checkpoints = replay ? { replay: { ...replay, ...checkpoint }, live } : { replay, live: checkpoint }
    for (const [record, round] of delivered) if (store.isDurable(round)) delivered.delete(record)
    const now: Progress = { handled, ...checkpoints, ...facts, waiting: queue.size() }
    change(progressKey(id), JSON.stringify(now))
  }

  function hold(entry: Entry): void {
    stored.put(entry)
    intake.settle(entry.id)
    mark()
  }

  /** Sends what is due, and reads more. */
  function work(): void {
    clearTimeout(timer)
    if (stage !== 'working') return
    const isSending = current().pausedReason === null && !isPausing && !whenIdle && mayDeliver()
    while (isSending && queue.sending() < concurrency) {
      const entry = queue.next(clock())
      if (entry === undefined) break
      void deliver(entry)
    }
    // Node's timers last 24 days at most.
    if (isSending && queue.sending() < concurrency) timer = setTimeout(work, Math.min(queue.dueAt() - clock(), DAY))
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
        commands = commands.then(startOver).catch(() => undefined)
        await commands
      }
      await delay(RETRY_MILLISECONDS)
    })
    if (hasEvents) mark()
    work()
  }

  /** The logs were restored to a point before its cursor: everything since its creation is sent again. */
  async function startOver(): Promise<void> {
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
      // Otherwise, after a crash, a record's earlier event could be delivered again after a later one.
      if (!store.isDurable(delivered.get(entry.record) ?? 0)) await store.flush()
      const sent = { eventId: entry.id, body: await stored.bodyOf(entry) }
      // Meanwhile, another process may have delivered later ones.
      if (!maySettle() || !mayDeliver()) throw new Error('this process may no longer deliver')
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
      // The database is unavailable, or the lease has ended: the event stays as it was.
      await delay(RETRY_MILLISECONDS)
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
      concurrency = Math.min(concurrency + 1, MAX_IN_FLIGHT)
      facts = { ...facts, lastDeliveredAt: clock(), failingSince: null }
      stored.remove(entry)
      intake.settle(eventId)
    }
    const { type, subject } = entry
    log.add({ eventId, type, subject, attempt, at, status, reason, milliseconds, nextAttemptAt })
    onAttempt(reason === null ? 'delivered' : 'failed')
    delivered.set(entry.record, mark())
  }

  /** Returns when the event is tried again; null: when somebody resumes the webhook. */
  function fail(entry: Entry, { attempt, at, status, reason, retryAfter }: Failed): number | null {
    const now = clock()
    const failingSince = facts.failingSince ?? at
    const pausedAs = status === 410 ? 'gone' : now - failingSince >= MAX_FAILING_MILLISECONDS ? 'failing' : undefined
    const nextAttemptAt = pausedAs ? null : now + pauseAfter({ attempt, retryAfter, random: random() })
    concurrency = Math.max(1, Math.floor(concurrency / 2))
    facts = { ...facts, failingSince, lastFailure: { at, status, reason } }
    hold({ ...entry, attempt, dueAt: nextAttemptAt ?? BEFORE_ALL })
    for (const behind of queue.ofRecord(entry.record)) if (behind.number === undefined) hold(behind)
    if (pausedAs && !isPausing) {
      isPausing = true
      // If the pause can't be stored now, the next attempt tries it again.
      const paused = pause(id, pausedAs).catch(() => delay(RETRY_MILLISECONDS))
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

  /** Sends everything since then again, in order and before what is new, held events of that time included. */
  async function startReplay(since: number, at: number): Promise<void> {
    if (queue.sending() > 0) await new Promise<void>((resolve) => (whenIdle = resolve))
    whenIdle = undefined
    const again = queue.all().filter((entry) => entry.number !== undefined && isReplayed(entry, since))
    if (replay === null) live = intake.checkpoint()
    replay = {
      since: Math.min(since, replay?.since ?? since),
      // If interrupted before it is stored completely, it starts over without knowing the events that were held up.
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
    /** Handles what happened to the webhook. Call it in the order of versions. */
    handle(event: Timed<WebhookEvent>, version: number): void {
      commands = commands.then(() => carryOut(event, version))
    },
    /** Finishes deliveries in flight. `isDeleted`: returns at once, and stores nothing more. */
    async stop({ isDeleted = false } = {}): Promise<void> {
      stage = isDeleted ? 'deleted' : 'ending'
      clearTimeout(timer)
      intake.stop()
      if (isDeleted) return
      if (queue.sending() > 0) {
        await Promise.race([new Promise<void>((resolve) => (whenIdle = resolve)), delay(STOP_MILLISECONDS)])
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
