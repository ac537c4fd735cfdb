import { setTimeout as timer } from 'node:timers/promises'
import { createWaker } from '../async/waker.ts'
import type { Logger } from '../runtime/log/logger.ts'
import { publishingFrom } from './confirm-published.ts'
import type { LogEvent, Position } from './event.ts'
import { holdLease } from './held-lease.ts'
import type { Database } from './ports/database.ts'
import type { Lease } from './ports/leased-checkpoints.ts'
import { MessagesLost, type TopicMessage, type TopicPublisher } from './ports/topic.ts'
import type { ViewDefinition } from './ports/view.ts'
import { createStateAfter, type StateAfter } from './state-after.ts'

/** How the events of one kind of aggregate, the only one in their log, are published. */
export interface Publication<State> {
  /** The name of its checkpoint. */
  readonly name: string
  /** Category and fold of the aggregates. */
  readonly definition: ViewDefinition<State>
  /** The one mapping from what is stored to what is published; `state` is the aggregate's after the event. */
  toMessage(event: LogEvent, state: State): TopicMessage
}

export interface RelayOptions<State> {
  readonly database: Pick<Database, 'events' | 'view' | 'checkpoints'>
  readonly publisher: TopicPublisher
  readonly publication: Publication<State>
  /** Who takes the lease: one name for each process that may run beside another, the same after a restart where none may. */
  readonly holder: string
  /**
   * Whether this process is to publish, asked again and again; by default it always is. The one that appends hears of new
   * events at once, others at the next poll.
   */
  readonly isPreferred?: () => boolean
  readonly logger: Logger
  /** How long the lease outlives a process that died; renewed three times as often. */
  readonly leaseMilliseconds?: number
  /** How long to wait for a wake-up before looking anyway, and for another holder's lease. */
  readonly pollMilliseconds?: number
  /** How often the topic is asked whether it still has what was published. */
  readonly confirmMilliseconds?: number
  /** How many events are published at a time. */
  readonly batchSize?: number
}

export type Relay = ReturnType<typeof startRelay>

const FIRST_PAUSE_MILLISECONDS = 50
const LONGEST_PAUSE_MILLISECONDS = 2_000

/**
 * Publishes a log, in its order, one batch at a time, and moves the checkpoint after each: what is in the log is
 * published at least once, however often the process dies in between. Failures are retried for ever. Setting the
 * checkpoint back publishes everything again; the relay does so itself when the topic was deleted.
 */
export function startRelay<State>(options: RelayOptions<State>) {
  const { database, publisher, publication, holder, isPreferred = () => true, logger } = options
  const {
    leaseMilliseconds = 10_000,
    pollMilliseconds = 1_000,
    confirmMilliseconds = 10_000,
    batchSize = 500,
  } = options
  const { events, checkpoints } = database
  const stateAfter = createStateAfter({ events, view: database.view(publication.definition) })
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
    const goesOn = () => !stopping.signal.aborted && held.isHeld() && isPreferred()
    const delivery = { publisher, logger, relay: publication.name, goesOn, pause }
    try {
      let { position } = lease
      const publishing = await publishingFrom(position, { events, publisher, confirmMilliseconds })
      while (goesOn()) {
        await publishing.confirm()
        const batch = await events.readAll(position, batchSize)
        const last = batch.at(-1)
        if (last === undefined) {
          if (await wasSetBack(position)) return
          await waker.sleep(pollMilliseconds)
          continue
        }
        const messages = await toMessages(publication, batch, stateAfter)
        if (!(await deliver(messages, delivery)) || !(await lease.advance(last.position))) return
        position = last.position
        publishing.add(messages.length)
      }
    } catch (error) {
      // The topic was deleted: everything is published again.
      if (error instanceof MessagesLost) await checkpoints.reset(publication.name)
      throw error
    } finally {
      await held.letGo()
    }
  }

  /**
   * The lease is lost with the checkpoint that was set back, so that the next one begins there. Asked before each sleep,
   * so that nothing stands between a wake-up and the reading of what it is about.
   */
  const wasSetBack = async (position: Position) => (await checkpoints.read(publication.name)) < position

  const pause = (milliseconds: number) => timer(milliseconds, undefined, { signal: stopping.signal }).catch(() => {})

  const ended = run()
  return {
    /** Finishes the batch under way and lets go of the lease. */
    async stop(): Promise<void> {
      stopping.abort()
      waker.wake()
      unsubscribe()
      await ended
    },
  }
}

async function toMessages<State>(
  { definition, toMessage }: Publication<State>,
  batch: readonly LogEvent[],
  stateAfter: StateAfter<State>,
): Promise<TopicMessage[]> {
  const messages: TopicMessage[] = []
  for (const event of batch) {
    if (event.stream.category === definition.category) messages.push(toMessage(event, await stateAfter(event)))
  }
  return messages
}

interface Delivery {
  readonly publisher: TopicPublisher
  readonly logger: Logger
  /** The publication's name, for the log. */
  readonly relay: string
  /** False once the relay must stop, or another holder took over. */
  readonly goesOn: () => boolean
  readonly pause: (milliseconds: number) => Promise<void>
}

/** Publishes until it is done; false when it may not go on before it was. */
async function deliver(messages: readonly TopicMessage[], delivery: Delivery): Promise<boolean> {
  const { publisher, logger, relay, goesOn, pause } = delivery
  for (let failures = 0; goesOn(); failures++) {
    try {
      if (messages.length > 0) await publisher.publish(messages)
      return true
    } catch (error) {
      logger.warn({ outage: 'publishing', err: error, relay }, 'publishing failed and is tried again')
      await pause(pauseAfter(failures))
    }
  }
  return false
}

/** In milliseconds: doubled with each failure, up to the longest. */
function pauseAfter(failures: number): number {
  return Math.min(FIRST_PAUSE_MILLISECONDS * 2 ** failures, LONGEST_PAUSE_MILLISECONDS)
}
