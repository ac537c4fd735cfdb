import type { Database } from '../event-sourcing/ports/database.ts'
import type { TopicHandler, TopicPublisher } from '../event-sourcing/ports/topic.ts'
import { lagMetrics } from './lag.ts'
import type { MetricOptions, Metrics } from './metrics.ts'

/** The same publisher, whose messages are counted. `relay`: the name of its checkpoint. */
export function measuredPublisher(metrics: Metrics, relay: string, publisher: TopicPublisher): TopicPublisher {
  const labels = { relay }
  const failures = {
    name: 'mint_relay_failures_total',
    help: 'How often publishing failed; it is tried again until it works.',
  } as const
  const publish = measured(metrics, (messages) => publisher.publish(messages), {
    labels,
    done: {
      name: 'mint_relay_published_messages_total',
      help: 'Messages that the relay of this process has published.',
    },
    failures,
  })
  if (publisher.confirm === undefined) return { publish }
  const countFailure = (error: unknown): never => {
    metrics.counter({ ...failures, labels: ['relay'] }).inc(labels)
    throw error
  }
  return { publish, confirm: async (published) => await publisher.confirm?.(published).catch(countFailure) }
}

/** How far a relay is behind its log: the same from every process, whichever of them has the lease. */
export function relayMetrics(metrics: Metrics, relay: string, { events, checkpoints }: Database): void {
  const checkpoint = () => checkpoints.read(relay)
  lagMetrics(metrics, { name: 'mint_relay_lag', who: 'The relay', labels: { relay }, events, checkpoint })
}

/** The same handler, whose messages are counted. */
export function measuredHandler(metrics: Metrics, topic: string, handler: TopicHandler): TopicHandler {
  return measured(metrics, handler, {
    labels: { topic },
    done: {
      name: 'mint_consumer_handled_messages_total',
      help: 'Messages that the consumer of this process has handled, those set aside included.',
    },
    failures: {
      name: 'mint_consumer_failures_total',
      help: 'How often handling failed; the messages are tried again until it works.',
    },
  })
}

interface Counted<Label extends string> {
  readonly labels: Readonly<Record<Label, string>>
  readonly done: Omit<MetricOptions<Label>, 'labels'>
  readonly failures: Omit<MetricOptions<Label>, 'labels'>
}

/** Work on messages, which are counted when it is done; so is how often it fails. Both begin at 0. */
function measured<Label extends string>(metrics: Metrics, work: TopicHandler, counted: Counted<Label>): TopicHandler {
  const labels = Object.keys(counted.labels) as Label[]
  const done = metrics.counter({ ...counted.done, labels })
  const failures = metrics.counter({ ...counted.failures, labels })
  done.inc(counted.labels, 0)
  failures.inc(counted.labels, 0)
  return async (messages) => {
    try {
      await work(messages)
      done.inc(counted.labels, messages.length)
    } catch (error) {
      failures.inc(counted.labels)
      throw error
    }
  }
}

/** How many messages were set aside. */
export function deadLetterMetrics(metrics: Metrics, topic: string, count: () => Promise<number>): void {
  metrics.figure(
    {
      name: 'mint_dead_letters',
      help: 'Messages that were set aside because they could not be understood.',
      labels: { topic },
    },
    count,
  )
}

/** How many messages of a topic the consumers of this group have not handled, on all partitions. */
export function consumerLagMetrics(metrics: Metrics, topic: string, lag: () => Promise<number>): void {
  metrics.figure(
    {
      name: 'mint_consumer_lag_messages',
      help: 'Messages of the topic that the consumers, of all processes together, have not handled yet.',
      labels: { topic },
    },
    lag,
  )
}
