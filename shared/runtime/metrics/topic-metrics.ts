import type { Database } from '../../event-sourcing/ports/database.ts'
import type { TopicHandler, TopicPublisher } from '../../event-sourcing/ports/topic.ts'
import { lagMetrics } from './lag.ts'
import type { MetricOptions, Metrics } from './metrics.ts'

/** Wraps a publisher to count its messages. `relay`: its checkpoint's name. */
export function measuredPublisher(metrics: Metrics, relay: string, publisher: TopicPublisher): TopicPublisher {
  const { counted, countFailure } = counters(metrics, { relay }, [
    {
      name: 'mint_relay_published_messages_total',
      help: 'Messages that the relay of this process has published.',
    },
    {
      name: 'mint_relay_failures_total',
      help: 'How often publishing failed; it is retried until it succeeds.',
    },
  ])
  const publish = counted((messages) => publisher.publish(messages))
  if (publisher.confirm === undefined) return { publish }
  return { publish, confirm: async (published) => await publisher.confirm?.(published).catch(countFailure) }
}

/** How far a relay is behind its log; the same in every process, whichever has the lease. */
export function relayMetrics(metrics: Metrics, relay: string, { events, checkpoints }: Database): void {
  const checkpoint = () => checkpoints.read(relay)
  lagMetrics(metrics, { name: 'mint_relay_lag', who: 'The relay', labels: { relay }, events, checkpoint })
}

/** Wraps a handler to count its messages. */
export function measuredHandler(metrics: Metrics, topic: string, handler: TopicHandler): TopicHandler {
  const { counted } = counters(metrics, { topic }, [
    {
      name: 'mint_consumer_handled_messages_total',
      help: 'Messages that the consumer of this process has handled, including those set aside.',
    },
    {
      name: 'mint_consumer_failures_total',
      help: 'How often handling failed; the messages are retried until it succeeds.',
    },
  ])
  return counted(handler)
}

type Named = Omit<MetricOptions<string>, 'labels'>

/** Counts the messages processed and the failures. Both begin at 0. */
function counters(metrics: Metrics, labels: Readonly<Record<string, string>>, [handled, failed]: [Named, Named]) {
  const done = metrics.counter({ ...handled, labels: Object.keys(labels) })
  const failures = metrics.counter({ ...failed, labels: Object.keys(labels) })
  done.inc(labels, 0)
  failures.inc(labels, 0)
  const countFailure = (error: unknown): never => {
    failures.inc(labels)
    throw error
  }
  const counted =
    (work: TopicHandler): TopicHandler =>
    async (messages) => {
      await work(messages).catch(countFailure)
      done.inc(labels, messages.length)
    }
  return { counted, countFailure }
}

/** How many messages were set aside. */
export function deadLetterMetrics(metrics: Metrics, topic: string, count: () => Promise<number>): void {
  const help = 'Messages that were set aside because they could not be processed.'
  metrics.gauge({ name: 'mint_dead_letters', help, labels: { topic } }, count)
}

/** How many messages of a topic the consumers of this group have not handled, on all partitions. */
export function consumerLagMetrics(metrics: Metrics, topic: string, lag: () => Promise<number>): void {
  const help = 'Messages of the topic that the consumers of all processes have not handled yet.'
  metrics.gauge({ name: 'mint_consumer_lag_messages', help, labels: { topic } }, lag)
}
