import { setTimeout as timer } from 'node:timers/promises'
import type { Logger } from '../logger.ts'
import type { Database } from './database.ts'
import type { RecordedEvent } from './event.ts'
import type { Lease } from './leased-checkpoints.ts'
import { createStateFolder, type StateFolder } from './state-folder.ts'
import type { TopicMessage, TopicPublisher } from './topic.ts'
import type { ViewDefinition } from './view.ts'
import { createWaker } from './waker.ts'

/** How the events of one kind of aggregate are told to the outside. */
export interface Publication<State> {
  /** The name of its checkpoint. */
  readonly name: string
  /** Category and fold of the aggregates. */
  readonly definition: ViewDefinition<State>
  /** The one mapping from what is stored to what is published; `state` is the aggregate's after the event. */
  toMessage(event: RecordedEvent, state: State): TopicMessage
}

export interface RelayOptions<State> {
  readonly database: Pick<Database, 'events' | 'checkpoints'>
  readonly publisher: TopicPublisher
  readonly publication: Publication<State>
  /** Who takes the lease: one name for each process that may run beside another, the same after a restart where none may. */
  readonly holder: string
  readonly logger: Logger
  /** How long the lease outlives a process that died; renewed three times as often. */
  readonly leaseMilliseconds?: number
  /** How long to wait for a wake-up before looking anyway, and for another holder's lease. */
  readonly pollMilliseconds?: number
  /** How many events are published at a time. */
  readonly batchSize?: number
}

export interface Relay {
  /** Finishes the batch under way and lets go of the lease. */
  stop(): Promise<void>
}

const FIRST_PAUSE_MILLISECONDS = 50
const LONGEST_PAUSE_MILLISECONDS = 2_000

/**
 * Publishes a log, in its order, one batch at a time, and moves the checkpoint after each: what is in the log is
 * published at least once, however often the process dies in between. Failures are retried for ever. Setting the
 * checkpoint back publishes everything again.
 */
export function startRelay<State>(options: RelayOptions<State>): Relay {
  const { database, publisher, publication, holder, logger } = options
  const { leaseMilliseconds = 10_000, pollMilliseconds = 1_000, batchSize = 500 } = options
  const { events, checkpoints } = database
  const stateAfter = createStateFolder(events, publication.definition)
  const stopping = new AbortController()
  const waker = createWaker()
  const unsubscribe = events.onAppended(waker.wake)

  async function run(): Promise<void> {
    for (let failures = 0; !stopping.signal.aborted; ) {
      try {
        const lease = await checkpoints.acquire(publication.name, holder, leaseMilliseconds)
        failures = 0
        if (lease === undefined) await pause(pollMilliseconds)
        else await relayUnder(lease)
      } catch (error) {
        logger.warn({ err: error, relay: publication.name }, 'the relay failed and will go on')
        await pause(pauseAfter(failures++))
      }
    }
  }

  async function relayUnder(lease: Lease): Promise<void> {
    const held = holdLease(lease, leaseMilliseconds / 3)
    try {
      let { position } = lease
      while (!stopping.signal.aborted && held.isHeld()) {
        const batch = await events.readAll(position, batchSize)
        const last = batch.at(-1)
        if (last === undefined) {
          // It was set back: the lease is lost with it, so that the next one begins there. Looked for before the sleep, so
          // that nothing stands between a wake-up and the reading of what it is about.
          if ((await checkpoints.read(publication.name)) < position) return
          await waker.sleep(pollMilliseconds)
          continue
        }
        const messages = await toMessages(publication, batch, stateAfter)
        if (!(await deliver(messages, held)) || !(await lease.advance(last.position))) return
        position = last.position
      }
    } finally {
      await held.letGo()
    }
  }

  /** Publishes until it is done; false when the relay must stop, or another holder took over, before it was. */
  async function deliver(messages: readonly TopicMessage[], held: HeldLease): Promise<boolean> {
    for (let failures = 0; !stopping.signal.aborted && held.isHeld(); failures++) {
      try {
        if (messages.length > 0) await publisher.publish(messages)
        return true
      } catch (error) {
        logger.warn({ err: error, relay: publication.name }, 'publishing failed and is tried again')
        await pause(pauseAfter(failures))
      }
    }
    return false
  }

  const pause = (milliseconds: number) => timer(milliseconds, undefined, { signal: stopping.signal }).catch(() => {})

  const ended = run()
  return {
    async stop() {
      stopping.abort()
      waker.wake()
      unsubscribe()
      await ended
    },
  }
}

async function toMessages<State>(
  { definition, toMessage }: Publication<State>,
  batch: readonly RecordedEvent[],
  stateAfter: StateFolder<State>,
): Promise<TopicMessage[]> {
  const messages: TopicMessage[] = []
  for (const event of batch) {
    if (event.stream.category === definition.category) messages.push(toMessage(event, await stateAfter(event)))
  }
  return messages
}

/** In milliseconds: doubled with each failure, up to the longest. */
function pauseAfter(failures: number): number {
  return Math.min(FIRST_PAUSE_MILLISECONDS * 2 ** failures, LONGEST_PAUSE_MILLISECONDS)
}

interface HeldLease {
  isHeld(): boolean
  letGo(): Promise<void>
}

/** Renews a lease until it is let go of or another holder has it. */
function holdLease(lease: Lease, everyMilliseconds: number): HeldLease {
  let held = true
  const renewing = setInterval(() => {
    // A renewal that fails is no loss yet: the next one, or advance, finds out.
    lease.renew().then(
      (still) => {
        held &&= still
      },
      () => {},
    )
  }, everyMilliseconds)
  return {
    isHeld: () => held,
    async letGo() {
      clearInterval(renewing)
      await lease.release()
    },
  }
}
