import { setTimeout as delay } from 'node:timers/promises'
import type { Consumer, EachBatchPayload, KafkaMessage } from 'kafkajs'
import { repeat } from '../../async/repeat.ts'
import { withTimeout } from '../../async/with-timeout.ts'
import type { TopicHandler } from '../../event-sourcing/ports/topic.ts'
import type { Logger } from '../../runtime/log/logger.ts'
import { fromKafkaMessage } from './message-form.ts'
import { explained, hasType, UNKNOWN_TOPIC } from './problem.ts'
import type { TopicStateOptions } from './topic-state.ts'

export interface ConsumerOptions extends TopicStateOptions {
  readonly logger: Logger
  /** Creates what must exist before the first message. */
  prepare(): Promise<void>
  /** Requests that everything be published again if messages were lost; absent if that can't happen. */
  readonly recoverLost?: (() => Promise<void>) | undefined
}

/** How many messages are handled at once: few enough to be done well within the session timeout. */
const CHUNK_SIZE = 500
/** How many partitions are handled concurrently: a store with group commit has work while another chunk is decoded. */
const CONCURRENT_PARTITIONS = 6
/** Delay in milliseconds before a failed chunk is handled again, and before a crashed consumer is replaced. */
const RETRY_DELAY = 250
/** One second of retries: less than a publisher takes to give up and recreate a missing topic. */
const RETRIES_IN_ONE_SECOND = 4
/** How long `stop` waits for a consumer that is joining its group, in milliseconds; otherwise it stays a member. */
const JOIN_GRACE = 1_000
const SETTINGS = {
  minBytes: 1,
  maxWaitTimeInMs: 500,
  sessionTimeout: 10_000,
  heartbeatInterval: 2_000,
  // New partitions are consumed within a minute.
  metadataMaxAge: 30_000,
  allowAutoTopicCreation: false,
}
/** Interval between two checks for lost messages, in milliseconds. */
const LOSS_INTERVAL = 10_000
/** How long `stop` waits for a handler, or for an unresponsive Kafka, in milliseconds. */
const STOP_GRACE = 5_000

/**
 * Consumes a topic as one member of a group, from its beginning. Offsets are committed after the handler has resolved,
 * so a message is redelivered when the process ends in between; each call of the handler gets messages of one
 * partition, in order. While Kafka is unavailable, it waits. If the topic was deleted, it starts at the beginning of
 * the new one: the brokers delete a group's offsets together with the topic.
 */
export function createConsumer(options: ConsumerOptions) {
  const { kafka, topic, groupId, recoverLost, logger } = options
  let watching: ReturnType<typeof repeat> | undefined
  let current: Consumer | undefined
  let starting: Promise<void> | undefined
  let stopping = false
  const restartOnFailure = async (error: Error) => !stopping && !hasType(error, UNKNOWN_TOPIC)

  async function start(handler: TopicHandler): Promise<void> {
    await options.prepare()
    // Before it joins: its first commit would hide what it has missed.
    await recoverLost?.()
    const consumer = kafka.consumer({
      ...SETTINGS,
      groupId,
      // When the topic is missing, the offsets that this consumer has cached must not be used any more.
      retry: { retries: RETRIES_IN_ONE_SECOND, restartOnFailure },
    })
    current = consumer
    // The driver restarts by itself after errors that it considers retriable, and stops for good after others.
    consumer.on(consumer.events.CRASH, ({ payload }) => {
      if (payload.restart || stopping) return
      logger.warn({ outage: 'consumer', err: explained(payload.error), topic }, 'the consumer ended and will restart')
      setTimeout(() => begin(handler), RETRY_DELAY)
    })
    await consumer.connect()
    await consumer.subscribe({ topic, fromBeginning: true })
    await consumer.run({
      autoCommit: false,
      eachBatchAutoResolve: false,
      partitionsConsumedConcurrently: CONCURRENT_PARTITIONS,
      eachBatch: (payload) => handleBatch(payload, handler, logger),
    })
  }

  function begin(handler: TopicHandler): Promise<void> {
    starting = startWithRetries(handler)
    return starting
  }

  async function startWithRetries(handler: TopicHandler): Promise<void> {
    while (!stopping) {
      try {
        return await start(handler)
      } catch (error) {
        if (stopping) return
        // It may be connected, and the next attempt creates a new consumer.
        await current?.disconnect().catch(() => undefined)
        const details = { outage: 'consumer start', err: explained(error), topic }
        logger.warn(details, 'the consumer could not start and will retry')
        await delay(RETRY_DELAY)
      }
    }
  }

  return {
    /** Starts delivery, at least once, from the first message not yet handled. */
    run(handler: TopicHandler): Promise<void> {
      if (recoverLost) watching = repeat(recoverLost, LOSS_INTERVAL)
      return begin(handler)
    },
    async stop(): Promise<void> {
      stopping = true
      void watching?.stop()
      if (starting) await withTimeout(JOIN_GRACE, starting).catch(() => undefined)
      if (current) await withTimeout(STOP_GRACE, current.disconnect()).catch(() => undefined)
    },
  }
}

/** Passes a batch to the handler in chunks, retrying each until it is handled. */
async function handleBatch(payload: EachBatchPayload, handler: TopicHandler, logger: Logger): Promise<void> {
  const { batch, resolveOffset, commitOffsetsIfNecessary, uncommittedOffsets } = payload
  for (let first = 0; first < batch.messages.length; first += CHUNK_SIZE) {
    const chunk = batch.messages.slice(first, first + CHUNK_SIZE)
    if (!(await handleChunk(payload, chunk, handler, logger))) return
    resolveOffset(chunk.at(-1)?.offset ?? batch.lastOffset())
    await commitOffsetsIfNecessary(uncommittedOffsets())
    await payload.heartbeat()
  }
}

/** Returns false when the partition has moved to another member, or the consumer is stopping. */
async function handleChunk(
  { batch, isRunning, isStale, heartbeat }: EachBatchPayload,
  chunk: readonly KafkaMessage[],
  handler: TopicHandler,
  logger: Logger,
): Promise<boolean> {
  const messages = chunk.map(fromKafkaMessage)
  while (isRunning() && !isStale()) {
    try {
      await handler(messages)
      return true
    } catch (error) {
      logger.warn({ outage: 'handling', err: error, topic: batch.topic }, 'handling failed and will be retried')
      await delay(RETRY_DELAY)
      // Throws when the group has assigned the partition to another member.
      await heartbeat()
    }
  }
  return false
}
