import type { Admin, Kafka } from 'kafkajs'
import { sharingRuns } from '../../async/shared-runs.ts'
import { withTimeout } from '../../async/with-timeout.ts'
import { withAdmin } from './client.ts'
import { findTopicProblems } from './topic-settings.ts'

export interface TopicStateOptions {
  readonly kafka: Kafka
  readonly topic: string
  readonly groupId: string
}

const TIMEOUT_MILLISECONDS = 1_000

/**
 * Queries the brokers about a topic; all methods reject when there is no answer within a second. Each query opens a
 * connection; callers that arrive while it runs share its result.
 */
export function createTopicState({ kafka, topic, groupId }: TopicStateOptions) {
  async function lag(admin: Admin): Promise<number> {
    const partitions = await readOffsets(admin, topic, groupId)
    return partitions.reduce((total, { low, high, reached }) => total + Math.max(0, high - Math.max(reached, low)), 0)
  }

  const shared = <T>(query: (admin: Admin) => Promise<T>): (() => Promise<T>) => {
    const { join } = sharingRuns(() => withAdmin(kafka, query))
    const timeout = () => new Error(`Kafka did not answer within ${TIMEOUT_MILLISECONDS} ms`)
    return () => withTimeout(TIMEOUT_MILLISECONDS, join(), timeout)
  }
  return {
    /** Messages on all partitions that the group, across all processes, has not handled yet. */
    consumerLag: shared(lag),
    /** The settings that let the topic lose messages. */
    findProblems: shared((admin) => findTopicProblems(admin, topic)),
    /** Resolves when Kafka answers and has the topic. */
    check: shared(async (admin) => void (await admin.fetchTopicMetadata({ topics: [topic] }))),
  }
}

/**
 * The offsets of each partition: the first and the next message of the topic, and the next one for the group, 0 before
 * it has handled any. The group's are read last: messages that are handled meanwhile must not look lost.
 */
export async function readOffsets(admin: Admin, topic: string, groupId: string) {
  const offsets = await admin.fetchTopicOffsets(topic)
  const [committed] = await admin.fetchOffsets({ groupId, topics: [topic] })
  const reached = new Map(committed?.partitions.map(({ partition, offset }) => [partition, Number(offset)]))
  return offsets.map(({ partition, low, high }) => {
    return { low: Number(low), high: Number(high), reached: Math.max(0, reached.get(partition) ?? 0) }
  })
}
