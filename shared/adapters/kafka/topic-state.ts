import type { Admin } from 'kafkajs'
import { sharingRuns } from '../../async/shared-runs.ts'
import { withTimeout } from '../../async/with-timeout.ts'
import type { KafkaClient } from './client.ts'
import { findTopicProblems } from './topic-settings.ts'
import { withAdmin } from './with-admin.ts'

export interface TopicStateOptions {
  readonly client: Pick<KafkaClient, 'kafka'>
  readonly topic: string
  readonly groupId: string
}

const PATIENCE_MILLISECONDS = 1_000

/**
 * Queries the brokers about a topic; all methods reject when there is no answer within a second. Connects for each
 * query; a query in progress also serves later callers.
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

  const asked = <T>(ask: (admin: Admin) => Promise<T>): (() => Promise<T>) => {
    const { join } = sharingRuns(() => withAdmin(client.kafka, ask))
    const late = () => new Error(`Kafka did not answer within ${PATIENCE_MILLISECONDS} ms`)
    return () => withTimeout(PATIENCE_MILLISECONDS, join(), late)
  }
  return {
    /** Messages on all partitions that the group, across all processes, has not handled yet. */
    consumerLag: asked(lag),
    /** The settings by which the topic can lose messages. */
    findProblems: asked((admin) => findTopicProblems(admin, topic)),
    /** Resolves when Kafka answers and has the topic. */
    check: asked(async (admin) => void (await admin.fetchTopicMetadata({ topics: [topic] }))),
  }
}
