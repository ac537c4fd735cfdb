import { setTimeout as timer } from 'node:timers/promises'
import { createWaker } from '../async/waker.ts'
import type { Enveloper } from '../events/enveloper.ts'
import type { Published } from '../events/published.ts'
import { createSigningKeys } from '../events/signing-keys.ts'
import { toMessage, topicsOf } from '../events/topics.ts'
import type { Logger } from '../runtime/log/logger.ts'
import { relayOf } from '../runtime/settings/topic-names.ts'
import { tracedAfter } from '../runtime/tracing/tracing.ts'
import { publishingFrom } from './confirm-published.ts'
import type { AuthoredEvent, Position } from './event.ts'
import { holdLease } from './hold-lease.ts'
import type { Database } from './ports/database.ts'
import type { Lease } from './ports/leased-checkpoints.ts'
import { MessagesLost, type TopicPublisher } from './ports/topic.ts'

export interface RelayOptions {
  readonly database: Pick<Database, 'events' | 'checkpoints' | 'documents'>
  readonly published: Published
  /** The only mapping from stored to published events. */
  readonly envelopesOf: Enveloper
  /** Publishers by topic. Events of other topics are not published. */
  readonly publishers: ReadonlyMap<string, TopicPublisher>
  /** Names the lease holder: unique among processes that may run at the same time, and the same after each restart. */
  readonly holder: string
  /**
   * Whether this process should publish; checked repeatedly, always true by default. The process that appends learns of
   * new events at once, the others at the next poll.
   */
  readonly isPreferred?: () => boolean
  readonly logger: Logger
  /** How long the lease outlives a process that died. Renewed three times as often. */
  readonly leaseMilliseconds?: number
  /** How long to wait for a wake-up before reading anyway, and before trying to acquire the lease again. */
  readonly pollMilliseconds?: number
  /** How often to check that the topic still has everything published. */
  readonly confirmMilliseconds?: number
  /** How many events are published at a time. */
  readonly batchSize?: number
}

export type Relay = ReturnType<typeof startRelay>

const DEFAULTS = {
  isPreferred: () => true,
  leaseMilliseconds: 10_000,
  pollMilliseconds: 1_000,
  confirmMilliseconds: 10_000,
  batchSize: 500,
}

const FIRST_PAUSE_MILLISECONDS = 50
const MAX_PAUSE_MILLISECONDS = 2_000

/**
 * Publishes a log in order, in signed batches, and advances the checkpoint after each batch: every event is published at
 * least once, however often the process dies. After any failure, it resumes at the checkpoint. Resetting the checkpoint
 * publishes everything again; the relay does that itself when a topic was deleted.
 */
export function startRelay(options: RelayOptions) {
  const { database, published, envelopesOf, publishers, holder, isPreferred, logger, ...limits } = {
    ...DEFAULTS,
    ...options,
  }
  const relay = relayOf(published.part)
  const { leaseMilliseconds, pollMilliseconds, confirmMilliseconds, batchSize } = limits
  const { events, checkpoints } = database
  const signingKeys = createSigningKeys(database)
  const stopping = new AbortController()
  const waker = createWaker()
  const unsubscribe = events.onAppended(waker.wake)
  /** Failures in a row since the last successful batch. */
  let failures = 0

  async function run(): Promise<void> {
    while (!stopping.signal.aborted) {
      try {
        const requestedAt = performance.now()
        const lease = isPreferred() && (await checkpoints.acquire(relay, holder, leaseMilliseconds))
        if (lease) await relayUnder(lease, requestedAt)
        else await pause(pollMilliseconds)
      } catch (error) {
        logger.warn({ outage: 'relay', err: error, relay }, 'the relay failed and will resume')
        await pause(pauseAfter(failures++))
      }
    }
  }

  async function relayUnder(lease: Lease, requestedAt: number): Promise<void> {
    const held = holdLease(lease, leaseMilliseconds / 3, requestedAt)
    const mayContinue = () => !stopping.signal.aborted && held.isHeld() && isPreferred()
    try {
      let { position } = lease
      const topics = await topicsFrom(position)
      while (mayContinue()) {
        for (const { confirm } of topics.values()) await confirm()
        const batch = await events.readAll(position, batchSize)
        const last = batch.at(-1)
        if (last === undefined) {
          // Before each sleep rather than after it, so that a wake-up leads straight to reading the new events.
          if (await wasSetBack(position)) return
          await waker.sleep(pollMilliseconds)
          continue
        }
        await publish(await toSignedMessages(batch), topics)
        if (!(await lease.advance(last.position))) return
        position = last.position
        failures = 0
      }
    } catch (error) {
      // The topic was deleted: publish everything again.
      if (error instanceof MessagesLost) await checkpoints.reset(relay)
      throw error
    } finally {
      await held.release()
    }
  }

  async function topicsFrom(position: Position): Promise<Topics> {
    const opening = [...topicsOf(published)].map(async ([topic, categories]) => {
      const publisher = publishers.get(topic)
      if (publisher === undefined) return []
      const publishing = await publishingFrom(position, { events, publisher, categories, confirmMilliseconds })
      return [[topic, publishing] as const]
    })
    return new Map((await Promise.all(opening)).flat())
  }

  async function toSignedMessages(batch: readonly AuthoredEvent[]): Promise<readonly Addressed[]> {
    const [sign, envelopes] = await Promise.all([signingKeys.signer(), envelopesOf(batch)])
    const known = envelopes.filter((envelope) => envelope !== undefined)
    const published = known.map(toMessage).filter(({ topic }) => publishers.has(topic))
    return await Promise.all(published.map(async ({ topic, message }) => ({ topic, message: await sign(message) })))
  }

  /** Whether the checkpoint was reset, which also drops the lease. */
  const wasSetBack = async (position: Position) => (await checkpoints.read(relay)) < position

  const pause = (milliseconds: number) => timer(milliseconds, undefined, { signal: stopping.signal }).catch(() => {})

  const running = run()
  return {
    /** Finishes the current batch and releases the lease. */
    async stop(): Promise<void> {
      stopping.abort()
      waker.wake()
      unsubscribe()
      await running
    },
  }
}

/** What publishes on each topic, by its name. */
type Topics = ReadonlyMap<string, Awaited<ReturnType<typeof publishingFrom>>>
type Addressed = ReturnType<typeof toMessage>

/** Waits for all topics even if one fails, since another process may continue after a failure. */
async function publish(messages: readonly Addressed[], topics: Topics): Promise<void> {
  const publishing = [...Map.groupBy(messages, ({ topic }) => topic)].map(async ([topic, own]) => {
    const requests = own.map(({ message }) => message.headers.ce_traceparent)
    await tracedAfter(`publish ${topic}`, { kind: 'producer', requests }, async () => {
      await topics.get(topic)?.publish(own.map(({ message }) => message))
    })
  })
  const failed = (await Promise.allSettled(publishing)).find((result) => result.status === 'rejected')
  if (failed !== undefined) throw failed.reason
}

/** In milliseconds: doubles with each failure, up to the maximum. */
function pauseAfter(failures: number): number {
  return Math.min(FIRST_PAUSE_MILLISECONDS * 2 ** failures, MAX_PAUSE_MILLISECONDS)
}
