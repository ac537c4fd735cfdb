import { setTimeout as timer } from 'node:timers/promises'
import { createWaker } from '../async/waker.ts'
import type { Envelope } from '../events/envelope.ts'
import type { Enveloper } from '../events/enveloper.ts'
import type { Logger } from '../runtime/log/logger.ts'
import { publishingFrom } from './confirm-published.ts'
import type { AuthoredEvent, Position } from './event.ts'
import type { Database } from './ports/database.ts'
import type { Lease } from './ports/leased-checkpoints.ts'
import { MessagesLost, type TopicMessage, type TopicPublisher } from './ports/topic.ts'

/** How the events of a log are published. */
export interface Publication {
  /** The name of its checkpoint. */
  readonly name: string
  toMessage(envelope: Envelope): TopicMessage
}

export interface RelayOptions {
  readonly database: Pick<Database, 'events' | 'checkpoints'>
  readonly publisher: TopicPublisher
  readonly publication: Publication
  /** The only mapping from stored to published events. */
  readonly envelopeOf: Enveloper
  /** Names the lease holder: unique among processes that may run side by side, else the same after each restart. */
  readonly holder: string
  /**
   * Whether this process should publish, checked repeatedly; by default always. The process that appends is notified of
   * new events at once, others see them at the next poll.
   */
  readonly isPreferred?: () => boolean
  readonly logger: Logger
  /** How long the lease outlives a process that died; renewed three times as often. */
  readonly leaseMilliseconds?: number
  /** How long to wait for a wake-up before reading anyway, and before trying to acquire the lease again. */
  readonly pollMilliseconds?: number
  /** How often to check that the topic still has what was published. */
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
const LONGEST_PAUSE_MILLISECONDS = 2_000

/**
 * Publishes a log in order, one batch at a time, and moves the checkpoint after each batch: every event in the log is
 * published at least once, however often the process dies. Failures are retried for ever. Resetting the checkpoint
 * publishes everything again; the relay does so itself when the topic was deleted.
 */
export function startRelay(options: RelayOptions) {
  const { database, publisher, publication, envelopeOf, holder, isPreferred, logger, ...limits } = {
    ...DEFAULTS,
    ...options,
  }
  const { leaseMilliseconds, pollMilliseconds, confirmMilliseconds, batchSize } = limits
  const { events, checkpoints } = database
  const stopping = new AbortController()
  const waker = createWaker()
  const unsubscribe = events.onAppended(waker.wake)

  async function run(): Promise<void> {
    for (let failures = 0; !stopping.signal.aborted; ) {
      try {
        const lease = isPreferred() && (await checkpoints.acquire(publication.name, holder, leaseMilliseconds))
        failures = 0
        if (lease) await relayUnder(lease)
        else await pause(pollMilliseconds)
      } catch (error) {
        logger.warn({ outage: 'relay', err: error, relay: publication.name }, 'the relay failed and will resume')
        await pause(pauseAfter(failures++))
      }
    }
  }

  async function relayUnder(lease: Lease): Promise<void> {
    const held = holdLease(lease, leaseMilliseconds / 3)
    const mayContinue = () => !stopping.signal.aborted && held.isHeld() && isPreferred()
    const delivery = { publisher, logger, relay: publication.name, mayContinue, pause }
    try {
      let { position } = lease
      const publishing = await publishingFrom(position, { events, publisher, confirmMilliseconds })
      while (mayContinue()) {
        await publishing.confirm()
        const batch = await events.readAll(position, batchSize)
        const last = batch.at(-1)
        if (last === undefined) {
          // Before each sleep rather than after it, so that a wake-up leads straight to reading the new events.
          if (await wasSetBack(position)) return
          await waker.sleep(pollMilliseconds)
          continue
        }
        const messages = await toMessages(publication, batch, envelopeOf)
        if (!(await deliver(messages, delivery)) || !(await lease.advance(last.position))) return
        position = last.position
        publishing.add(messages.length)
      }
    } catch (error) {
      // The topic was deleted: publish everything again.
      if (error instanceof MessagesLost) await checkpoints.reset(publication.name)
      throw error
    } finally {
      await held.release()
    }
  }

  /** Resetting a checkpoint drops its lease, so the next lease starts at the beginning. */
  const wasSetBack = async (position: Position) => (await checkpoints.read(publication.name)) < position

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

async function toMessages(
  { toMessage }: Publication,
  batch: readonly AuthoredEvent[],
  envelopeOf: Enveloper,
): Promise<TopicMessage[]> {
  const messages: TopicMessage[] = []
  for (const event of batch) {
    const envelope = await envelopeOf(event)
    if (envelope !== undefined) messages.push(toMessage(envelope))
  }
  return messages
}

interface Delivery {
  readonly publisher: TopicPublisher
  readonly logger: Logger
  /** The publication's name, for log lines. */
  readonly relay: string
  /** False once the relay must stop or another holder took over. */
  readonly mayContinue: () => boolean
  readonly pause: (milliseconds: number) => Promise<void>
}

/** Retries publishing until it succeeds; false when the relay had to stop first. */
async function deliver(messages: readonly TopicMessage[], delivery: Delivery): Promise<boolean> {
  const { publisher, logger, relay, mayContinue, pause } = delivery
  for (let failures = 0; mayContinue(); failures++) {
    try {
      if (messages.length > 0) await publisher.publish(messages)
      return true
    } catch (error) {
      logger.warn({ outage: 'publishing', err: error, relay }, 'publishing failed and will be retried')
      await pause(pauseAfter(failures))
    }
  }
  return false
}

/** In milliseconds: doubles with each failure, up to the maximum. */
function pauseAfter(failures: number): number {
  return Math.min(FIRST_PAUSE_MILLISECONDS * 2 ** failures, LONGEST_PAUSE_MILLISECONDS)
}

/** Renews a lease at a fixed interval until it is released. */
function holdLease(lease: Lease, everyMilliseconds: number) {
  let held = true
  const renewing = setInterval(() => {
    // A failed renewal does not mean the lease is lost: the next renewal, or advance, finds out.
    lease.renew().then(
      (renewed) => {
        held &&= renewed
      },
      () => {},
    )
  }, everyMilliseconds)
  return {
    /** False once another process is known to hold it. */
    isHeld: () => held,
    /** Stops renewing and releases the lease, so that the next process can take it at once. */
    async release() {
      clearInterval(renewing)
      await lease.release()
    },
  }
}
