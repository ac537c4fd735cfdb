import type { Admin } from 'kafkajs'
import { sharingRuns } from '../../async/shared-runs.ts'
import { withTimeout } from '../../async/with-timeout.ts'
import { type KafkaClient, withAdmin } from './client.ts'
import { findTopicProblems } from './topic-settings.ts'

export interface TopicStateOptions {
  readonly client: Pick<KafkaClient, 'kafka'>
  readonly topic: string
  readonly groupId: string
}

const TIMEOUT_MILLISECONDS = 1_000

/**
 * Queries the brokers about a topic; all methods reject when there is no answer within a second. Each query opens a
 * connection; callers that arrive while it runs share its result.
 */
export function createTopicState({ client, topic, groupId }: TopicStateOptions) {
  /** Reads committed offsets first, so that they are never ahead of the topic's. */
  async function lag(admin: Admin): Promise<number> {
    const [committed] = await admin.fetchOffsets({ groupId, topics: [topic] })
    const offsets = await admin.fetchTopicOffsets(topic)
    const reached = new Map(committed?.partitions.map(({ partition, offset }) => [partition, Number(offset)]))
    return offsets
      .map((at) => Number(at.high) - Math.max(reached.get(at.partition) ?? 0, Number(at.low)))
      .reduce((total, behind) => total + behind, 0)
  }

  const shared = <T>(query: (admin: Admin) => Promise<T>): (() => Promise<T>) => {
    const { join } = sharingRuns(() => withAdmin(client.kafka, query))
    const timeout = () => new Error(`Kafka did not answer within ${TIMEOUT_MILLISECONDS} ms`)
    return () => withTimeout(TIMEOUT_MILLISECONDS, join(), timeout)
  }
  return {
    /** Messages on all partitions that the group, across all processes, has not handled yet. */
    consumerLag: shared(lag),
    /** The settings by which the topic can lose messages. */
    findProblems: shared((admin) => findTopicProblems(admin, topic)),
    /** Resolves when Kafka answers and has the topic. */
    check: shared(async (admin) => void (await admin.fetchTopicMetadata({ topics: [topic] }))),
  }
}
