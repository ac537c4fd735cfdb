import type { Enveloper } from '../events/enveloper.ts'
import type { Published } from '../events/published.ts'
import { createSigningKeys } from '../events/signing-keys.ts'
import { toMessage, topicsOf } from '../events/topics.ts'
import type { Logger } from '../runtime/log/logger.ts'
import { relayOf } from '../runtime/settings/topic-names.ts'
import { tracedAfter } from '../runtime/tracing/tracing.ts'
import { type AuthoredEvent, BEGINNING, type Position } from './event.ts'
import { type Holding, type LeasedWorkOptions, startLeasedWork } from './leased-work.ts'
import type { Database } from './ports/database.ts'
import { MessagesLost, type TopicMessage, type TopicPublisher } from './ports/topic.ts'

export interface RelayOptions
  extends Pick<LeasedWorkOptions, 'holder'>,
    Partial<Pick<LeasedWorkOptions, 'leaseMilliseconds' | 'pollMilliseconds'>> {
  readonly database: Pick<Database, 'events' | 'checkpoints' | 'documents'>
  readonly published: Published
  /** The only mapping from stored to published events. */
  readonly envelopesOf: Enveloper
  /** Publishers by topic. Events of other topics are not published. */
  readonly publishers: ReadonlyMap<string, TopicPublisher>
  /**
   * Whether this process should publish; checked repeatedly, always true by default. The process that appends learns of
   * new events at once, the others at the next poll.
   */
  readonly isPreferred?: () => boolean
  readonly logger: Logger
  /** How often to check that the topic still has everything published. */
  readonly confirmMilliseconds?: number
  /** How many events are published at a time. */
  readonly batchSize?: number
}

const DEFAULTS = {
  isPreferred: () => true,
  leaseMilliseconds: 10_000,
  pollMilliseconds: 1_000,
  confirmMilliseconds: 10_000,
  batchSize: 500,
}

/**
 * Publishes a log in order, in signed batches, and advances the checkpoint after each batch: every event is published at
 * least once, however often the process dies. After any failure, it resumes at the checkpoint. Resetting the checkpoint
 * publishes everything again; the relay does that itself when a topic was deleted, or when the checkpoint is past the
 * log. `stop` finishes the current batch.
 */
export function startRelay(options: RelayOptions) {
  const { database, published, envelopesOf, publishers, holder, isPreferred, logger, ...limits } = {
    ...DEFAULTS,
    ...options,
  }
  const relay = relayOf(published.part)
  const { confirmMilliseconds, batchSize, ...polling } = limits
  const { events, checkpoints } = database
  const signingKeys = createSigningKeys(database)

  async function work({ lease, isHeld, isStopping, sleep }: Holding): Promise<void> {
    const mayContinue = () => !isStopping() && isHeld() && isPreferred()
    try {
      let { position } = lease
      // Otherwise, events that reach those positions later would never be published.
      if (position > (await events.head())) throw new MessagesLost(`${relay} is past the end of its log`)
      const topics = await topicsFrom(position)
      while (mayContinue()) {
        for (const { confirm } of topics.values()) await confirm(position)
        const batch = await events.readAll(position, batchSize)
        const last = batch.at(-1)
        if (last === undefined) {
          // Before each sleep rather than after it, so that a wake-up leads straight to reading the new events.
          if (await wasSetBack(position)) return
          await sleep()
          continue
        }
        await publish(await toSignedMessages(batch), topics)
        if (!(await lease.advance(last.position))) return
        position = last.position
      }
    } catch (error) {
      // Publish everything again.
      if (error instanceof MessagesLost) await checkpoints.reset(relay)
      throw error
    }
  }

  async function topicsFrom(position: Position): Promise<Topics> {
    const opening = [...topicsOf(published)].map(async ([topic, categories]) => {
      const publisher = publishers.get(topic)
      if (publisher === undefined) return []
      const publishing = await publishingFrom(position, { database, publisher, categories, confirmMilliseconds })
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

  const onFailure = (error: unknown) =>
    logger.warn({ outage: 'relay', err: error, relay }, 'the relay failed and will resume')

  return startLeasedWork({ database, name: relay, holder, ...polling, isWanted: isPreferred, work, onFailure })
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

interface PublishingOptions {
  readonly database: Pick<Database, 'events' | 'documents'>
  readonly publisher: TopicPublisher
  /** The categories whose events are published on the topic. */
  readonly categories: readonly string[]
  /** Interval between two checks, in milliseconds. */
  readonly confirmMilliseconds: number
}

/** Publishes on a topic from a position of the log, and counts the messages published, including those before it. */
async function publishingFrom(position: Position, options: PublishingOptions) {
  const { database, publisher, categories, confirmMilliseconds } = options
  let published = publisher.confirm === undefined ? 0 : await countPublished(position, options)
  let [stored, confirmAt] = ['', 0]
  return {
    async publish(messages: readonly TopicMessage[]) {
      await publisher.publish(messages)
      published += messages.length
    },
    /**
     * Asks the topic, at most once per interval, whether it has everything up to a position. Throws MessagesLost when it
     * was deleted.
     */
    async confirm(upTo: Position) {
      if (publisher.confirm === undefined || performance.now() < confirmAt) return
      if (published > 0) await publisher.confirm(published)
      const counted: Counted = { upTo, count: published }
      const text = JSON.stringify(counted)
      if (text !== stored) await database.documents(COUNTED).write([[categories.join(), text]])
      stored = text
      confirmAt = performance.now() + confirmMilliseconds
    },
  }
}

/** The kind of documents that store a count for each topic, by the categories of its events. */
const COUNTED = 'published'

/** How many events of some categories there are up to a position of the log. */
interface Counted {
  readonly upTo: Position
  readonly count: number
}

/**
 * How many messages were published up to a position. Only events after those last counted are counted, so that a lease
 * changes hands as fast with a long log, unless the checkpoint was reset to before them.
 */
async function countPublished(upTo: Position, { database, categories }: PublishingOptions): Promise<number> {
  const text = await database.documents(COUNTED).read(categories.join())
  const stored: Counted | undefined = text === undefined ? undefined : JSON.parse(text)
  const { upTo: after, count } = stored && stored.upTo <= upTo ? stored : { upTo: BEGINNING, count: 0 }
  return count + (await database.events.countIn(categories, { after, upTo }))
}
