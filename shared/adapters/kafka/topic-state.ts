import type { Admin, Kafka } from 'kafkajs'
import { answerWithin } from '../../answer-within.ts'
import { sharedAnswer } from '../../shared-answer.ts'
import type { KafkaClient } from './client.ts'
import { withAdmin } from './with-admin.ts'

export interface TopicFigures {
  /** Messages on all partitions that the group, of all processes together, has not handled yet. */
  readonly consumerLag: number
  /** Messages set aside. */
  readonly deadLetters: number
}

/** Asks the brokers how a topic stands; both reject when they do not answer within a second. */
export interface TopicState {
  figures(): Promise<TopicFigures>
  /** Answers when Kafka does and has the topic. */
  check(): Promise<void>
  stop(): void
}

export interface TopicStateParts {
  /** Its own: it ends with this. */
  readonly client: KafkaClient
  readonly topic: string
  readonly deadTopic: string
  readonly groupId: string
  /** Makes both topics where they are missing. */
  prepare(kafka: Kafka): Promise<void>
  /** Counts the messages set aside, by reading all of them. */
  countDeadLetters(): Promise<number>
}

const PATIENCE_MILLISECONDS = 1_000

/** Connected for each question; a question still under way answers those that follow. */
export function createTopicState(parts: TopicStateParts): TopicState {
  const { client, topic, deadTopic, groupId } = parts
  let counted = { end: 0, letters: 0 }

  const prepare = once(() => parts.prepare(client.kafka))

  async function askFigures(): Promise<TopicFigures> {
    await prepare()
    const { consumerLag, deadEnd } = await withAdmin(client.kafka, askOffsets)
    return { consumerLag, deadLetters: await deadLettersAt(deadEnd) }
  }

  /** What was handled is asked for first: it is then never ahead of what is there. */
  async function askOffsets(admin: Admin) {
    const [committed] = await admin.fetchOffsets({ groupId, topics: [topic] })
    const offsets = await admin.fetchTopicOffsets(topic)
    const dead = await admin.fetchTopicOffsets(deadTopic)
    const reached = new Map(committed?.partitions.map(({ partition, offset }) => [partition, Number(offset)]))
    const behind = offsets.map((at) => Number(at.high) - Math.max(reached.get(at.partition) ?? 0, Number(at.low)))
    return { consumerLag: sum(behind), deadEnd: sum(dead.map(({ high }) => Number(high))) }
  }

  /** Counted anew only when something was written there since. */
  async function deadLettersAt(end: number): Promise<number> {
    if (counted.end !== end) counted = { end, letters: await parts.countDeadLetters() }
    return counted.letters
  }

  const askTopic = () => withAdmin(client.kafka, (admin) => admin.fetchTopicMetadata({ topics: [topic] }))
  const figures = sharedAnswer(askFigures, { freshMilliseconds: 0 })
  const check = sharedAnswer(askTopic, { freshMilliseconds: 0 })
  return {
    figures: () => inTime(figures()),
    check: async () => void (await inTime(check())),
    stop: () => client.end(),
  }
}

/** Does it until it has worked once. */
function once<T>(work: () => Promise<T>): () => Promise<T> {
  let done: Promise<T> | undefined
  return () => {
    done ??= work().catch((error) => {
      done = undefined
      throw error
    })
    return done
  }
}

const inTime = <T>(answer: Promise<T>): Promise<T> => answerWithin(PATIENCE_MILLISECONDS, answer, 'Kafka')

const sum = (numbers: readonly number[]): number => numbers.reduce((total, number) => total + number, 0)
