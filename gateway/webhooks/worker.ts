import { setTimeout as delay } from 'node:timers/promises'
import { CodedError } from '../../shared/calls/errors.ts'
import type { Timed } from '../../shared/event-sourcing/event.ts'
import type { Logger } from '../../shared/runtime/log/logger.ts'
import { tracedAfter } from '../../shared/runtime/tracing/tracing.ts'
import type { WebhookEvent } from '../../shared/webhooks/events.ts'
import type { Webhook } from '../../shared/webhooks/evolve.ts'
import {
  type Checkpoint,
  MAX_WAITING,
  type Progress,
  progressKey,
  type Replay,
} from '../../shared/webhooks/progress.ts'
import type { FeedPage } from '../events/feed.ts'
import { type AttemptOptions, attempt } from './attempt.ts'
import type { DeliveryLog } from './delivery-log.ts'
import { BEFORE_ALL, createQueue, type Queued, TEST_TYPE, testEvent, toQueued } from './queue.ts'
import type { ReadPage } from './reading.ts'
import { DAY, MAX_FAILING_MILLISECONDS, pauseAfter } from './schedule.ts'
import type { Answer } from './send.ts'
import type { DeliveryStore } from './store.ts'

/** How many deliveries to one receiver may be in flight; while they fail, one at a time is tried. */
const MAX_IN_FLIGHT = 8

/** How long to wait when the feed or the database is unavailable. */
const RETRY_MILLISECONDS = 1_000

/** How long stopping waits for deliveries in flight: those that are cut off are repeated. */
const STOP_MILLISECONDS = 1_000

/** The last millisecond of the years that timestamps may have. */
const END_OF_TIME = Date.UTC(9999, 11, 31, 23, 59, 59, 999)

/** What all workers share. */
export interface WorkerSurroundings extends AttemptOptions {
  readonly store: DeliveryStore
  readonly readPage: ReadPage
  /** Resolves after a while, or once there are events after a cursor. */
  readonly beyond: (cursor: string) => Promise<void>
  /** From 0 to 1. */
  readonly random: () => number
  /** Resolves in a turn of the event loop in which no other attempt begins: those that fail at once would block it. */
  readonly turn: () => Promise<void>
  /** Whether this process may still deliver. */
  readonly mayDeliver: () => boolean
  /** Pauses a webhook. Throws StoreUnavailable. */
  readonly pause: (id: string, reason: 'gone' | 'failing') => Promise<void>
  readonly onAttempt: (outcome: 'delivered' | 'failed') => void
  readonly logger: Logger
}

/** What is stored of a webhook's deliveries. */
export interface StoredDeliveries {
  readonly progress: Progress
  /** In the order of their numbers. */
  readonly held: readonly Queued[]
  readonly log: DeliveryLog
}

export type Worker = ReturnType<typeof createWorker>

/** Delivers to one webhook. `current` returns it as it is now. */
export function createWorker(
  current: () => Webhook,
  { progress, held, log }: StoredDeliveries,
  surroundings: WorkerSurroundings,
) {
  const { store, readPage, beyond, clock, random, turn, mayDeliver, pause, onAttempt, logger } = surroundings
  const { id } = current()
  const queue = createQueue(id, held, store)
  /** By record: only one event of each is sent at a time. */
  const inFlight = new Map<string, Promise<void>>()
  /** The rounds of the store in which the last deliveries of records become durable. */
  const delivered = new Map<string, number>()
  let { handled, replay, live, ...facts } = progress
  let reading: Checkpoint | undefined
  /** The progress as it was stored last. */
  let stored: string | undefined
  let concurrency = 1
  let isPausing = false
  /** `ending`: no delivery is started. `ended`: none is settled either. */
  let stage: 'working' | 'ending' | 'ended' = 'working'
  let timer: NodeJS.Timeout | undefined
  /** A time in the past, even if the clock says otherwise. */
  let workedAt = Math.max(facts.lastDeliveredAt ?? 0, facts.lastFailure?.at ?? 0)

  const checkpoint = (): Checkpoint | Replay => replay ?? live
  const maySettle = (): boolean => stage !== 'ended'
  const isWanted = ({ type }: { readonly type: string }): boolean => {
    const { types } = current()
    return types.length === 0 || types.includes(type)
  }

  /** Sends what is due, and reads more. */
  function work(): void {
    clearTimeout(timer)
    if (stage !== 'working') return
    followClock()
    if (reading !== checkpoint() && queue.size() < MAX_WAITING) void readOn()
    while (current().pausedReason === null && !isPausing && mayDeliver() && inFlight.size < concurrency) {
      const entry = queue.first(inFlight.keys())
      if (entry === undefined) return
      const wait = entry.dueAt - clock()
      if (wait > 0) {
        // Node's timers last 24 days at most.
        timer = setTimeout(work, Math.min(wait, DAY))
        return
      }
      inFlight.set(entry.record, deliver(entry))
    }
  }

  /** If the clock was set back, retries that were planned before are due as much earlier. */
  function followClock(): void {
    const setBack = workedAt - clock()
    workedAt = clock()
    if (setBack <= 0) return
    for (const entry of queue.all()) {
      entry.dueAt -= setBack
      queue.put(entry)
    }
  }

  async function readOn(): Promise<void> {
    const from = checkpoint()
    reading = from
    try {
      const { after, since, until }: Partial<Replay> = from
      const page = await readPage({ after, since, until })
      if (page.events.length === 0 && !page.more && since === undefined) await beyond(page.next)
      // Otherwise a replay has begun meanwhile.
      if (from === checkpoint()) take(page)
    } catch (error) {
      logger.warn({ outage: 'webhooks', err: error, webhook: id }, 'events can’t be read now')
      if (isUnknownCursor(error)) await startOver().catch(() => undefined)
      await delay(RETRY_MILLISECONDS)
    }
    if (reading === from) reading = undefined
    work()
  }

  function take({ events, next, more }: FeedPage): void {
    for (const event of events) if (isWanted(event)) queue.add(toQueued(event, current().url, clock()))
    facts = { ...facts, latest: Math.max(facts.latest ?? 0, ...events.map(({ time }) => time)) }
    if (replay === null) live = { after: next }
    else replay = more ? { ...replay, after: next } : null
  }

  /** The logs were restored to a point before its cursor: everything since its creation is sent again. */
  async function startOver(): Promise<void> {
    const { next } = await readPage({ after: 'now' })
    live = { after: next }
    // What waits may never have happened in the logs as they are now.
    const times = queue.all().flatMap(({ type, time }) => (type === TEST_TYPE ? [] : [time]))
    // Some events since then may be in the future of this clock, so what is written meanwhile may be sent twice.
    startReplay(Math.min(current().createdAt, ...times), END_OF_TIME)
  }

  /** Sends everything since then again, in order and before what is new, waiting events of that time included. */
  function startReplay(from: number, at: number): void {
    const since = Math.min(from, replay?.since ?? from)
    const again = queue.all().filter(({ type, time }) => type !== TEST_TYPE && time >= since)
    // If interrupted before it is stored completely, it starts over without knowing the events that were waiting.
    const until = Math.max(at, clock(), facts.latest ?? at, replay?.until ?? at, ...again.map(({ time }) => time))
    replay = { since, until }
    for (const entry of again) queue.remove(entry)
  }

  async function deliver(entry: Queued): Promise<void> {
    try {
      // Otherwise, after a crash, a record's earlier event could be delivered again after a later one.
      if (!store.isDurable(delivered.get(entry.record) ?? 0)) await store.save()
      const body = await queue.bodyOf(entry)
      await turn()
      // Meanwhile, another process may have delivered later ones, or a replay may have begun.
      if (!maySettle() || !mayDeliver() || !queue.has(entry)) return
      // Whoever has changed the URL since may only be allowed to read the present types.
      const isForAnother = entry.url !== undefined && entry.url !== current().url && !isWanted(entry)
      // Without a body, it is what is left of one that a process which was killed had begun to remove: that one was
      // delivered, or is read again.
      if (body === undefined || isForAnother) return queue.remove(entry)
      const sent = { eventId: entry.id, body }
      const at = clock()
      const begun = performance.now()
      const after = { kind: 'client', requests: [entry.traceparent] } as const
      const answer = await tracedAfter('deliver to webhook', after, async (span) => {
        const answered = await attempt(current(), { ...sent, traceparent: span?.traceparent }, surroundings)
        if (answered.reason !== null) span?.end({ 'error.type': String(answered.status ?? 'no answer') })
        return answered
      })
      if (maySettle()) settle(entry, at, { ...answer, milliseconds: Math.round(performance.now() - begun) })
    } catch {
      // The database is unavailable: the event stays as it was.
      await delay(RETRY_MILLISECONDS)
    } finally {
      inFlight.delete(entry.record)
      work()
    }
  }

  function settle(entry: Queued, at: number, { milliseconds, ...answer }: Answer & { milliseconds: number }): void {
    const { id: eventId, type, subject } = entry
    const { status, reason } = answer
    entry.attempt++
    const nextAttemptAt = reason === null ? null : fail(entry, at, { ...answer, reason })
    if (reason === null) {
      concurrency = Math.min(concurrency + 1, MAX_IN_FLIGHT)
      facts = { ...facts, lastDeliveredAt: clock(), failingSince: null }
      // A replay that began meanwhile sends it again.
      if (queue.has(entry)) queue.remove(entry)
      delivered.set(entry.record, store.nextRound())
    }
    log.add({ eventId, type, subject, attempt: entry.attempt, at, status, reason, milliseconds, nextAttemptAt })
    onAttempt(reason === null ? 'delivered' : 'failed')
  }

  /** Returns when the event is tried again; null: when somebody resumes the webhook. */
  function fail(entry: Queued, at: number, { status, reason, retryAfter }: Answer & { reason: string }): number | null {
    const now = clock()
    const failingSince = facts.failingSince ?? at
    const pausedAs = status === 410 ? 'gone' : now - failingSince >= MAX_FAILING_MILLISECONDS ? 'failing' : undefined
    const nextAttemptAt = pausedAs ? null : now + pauseAfter({ attempt: entry.attempt, retryAfter, random: random() })
    concurrency = Math.max(1, Math.floor(concurrency / 2))
    facts = { ...facts, failingSince, lastFailure: { at, status, reason } }
    entry.dueAt = nextAttemptAt ?? BEFORE_ALL
    if (queue.has(entry)) queue.put(entry)
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
    for (const entry of queue.all()) {
      entry.attempt = 0
      entry.dueAt = Math.min(entry.dueAt, clock())
      queue.put(entry)
    }
  }

  return {
    work,
    /** Adds what is to be stored to the store's changes. */
    collect(): void {
      // All events before the checkpoint that are not delivered.
      queue.putNew()
      log.collect(store.change)
      for (const [record, round] of delivered) if (store.isDurable(round)) delivered.delete(record)
      const now: Progress = { handled, replay, live, ...facts, waiting: queue.size() }
      const text = JSON.stringify(now)
      if (text !== stored) store.change(progressKey(id), text)
      stored = text
    },
    /** The version of the webhooks up to which it has handled what happened. */
    handled: (): number => handled,
    /** Handles what happened to a webhook, this one or another. Call it in the order of versions. */
    handle(event: Timed<WebhookEvent>, version: number): void {
      if (version <= handled) return
      handled = version
      if (event.data.id !== id) return
      if (event.type === 'WebhookTested.v1') queue.add(testEvent(id, event))
      if (event.type === 'WebhookReplayed.v1') startReplay(event.data.since, event.at)
      if (MAY_HELP.includes(event.type)) tryAllNow()
    },
    /** Finishes deliveries in flight. */
    async stop(): Promise<void> {
      stage = 'ending'
      clearTimeout(timer)
      await Promise.race([Promise.all(inFlight.values()), delay(STOP_MILLISECONDS, undefined, { ref: false })])
      stage = 'ended'
    },
  }
}

/** After these, what failed may succeed; a rotation also replaces a secret that can't be read any more. */
const MAY_HELP: readonly WebhookEvent['type'][] = ['WebhookResumed.v1', 'WebhookEdited.v1', 'WebhookRotated.v1']

const isUnknownCursor = (error: unknown): boolean =>
  error instanceof CodedError && error.violations.some(({ code }) => code === 'unknown_cursor')
