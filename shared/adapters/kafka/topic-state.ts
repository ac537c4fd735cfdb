import type { Admin } from 'kafkajs'
import { answerWithin } from '../../async/answer-within.ts'
import { sharingRuns } from '../../async/shared-runs.ts'
import type { KafkaClient } from './client.ts'
import { withAdmin } from './with-admin.ts'

/** Asks the brokers how a topic is doing; both reject when they do not answer within a second. */
export type TopicState = ReturnType<typeof createTopicState>

export interface TopicStateOptions {
  readonly client: Pick<KafkaClient, 'kafka'>
  readonly topic: string
  readonly groupId: string
}

const PATIENCE_MILLISECONDS = 1_000

/** Connected for each question; a question still under way answers those that follow. */
export function createTopicState({ client, topic, groupId }: TopicStateOptions) {
  /** What was handled is asked for first: it is then never ahead of what is there. */
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
    const late = () => new Error(`Kafka does not answer within ${PATIENCE_MILLISECONDS} ms`)
    return () => answerWithin(PATIENCE_MILLISECONDS, join(), late)
  }
  return {
    /** Messages on all partitions that the group, of all processes together, has not handled yet. */
    consumerLag: asked(lag),
    /** Answers when Kafka does and has the topic. */
    check: asked(async (admin) => void (await admin.fetchTopicMetadata({ topics: [topic] }))),
  }
}
