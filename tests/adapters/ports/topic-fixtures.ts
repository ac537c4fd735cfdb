import { randomUUID } from 'node:crypto'
import type { KafkaSecurity } from '../../../shared/adapters/kafka/security.ts'
import { createKafkaTopic, type KafkaTopic, type KafkaTopicOptions } from '../../../shared/adapters/kafka/topic.ts'
import type { TopicMessage } from '../../../shared/event-sourcing/ports/topic.ts'
import { secured } from '../../support/engines.ts'
import { quietLogger } from '../../support/quiet-logger.ts'

/** The settings for brokers without authentication. */
export const noSecurity = (): KafkaSecurity => ({ tls: undefined, sasl: undefined })

/** A new topic, unless one is named; it connects when it is first used. */
export function newKafkaTopic(
  brokers: string,
  topic = `test.${randomUUID()}`,
  groupId = 'test',
  options: Partial<Pick<KafkaTopicOptions, 'logger' | 'publishAgain'>> = {},
): KafkaTopic {
  const security = () => secured()?.kafka ?? noSecurity()
  const settings = { security, partitions: 3, replication: 1, logger: quietLogger(), ...options }
  return createKafkaTopic({ brokers: brokers.split(','), topic, groupId: `${topic}.${groupId}`, ...settings })
}

/** What its consumer receives from now on. */
export async function receivedBy({ consumer }: Pick<KafkaTopic, 'consumer'>): Promise<TopicMessage[]> {
  const received: TopicMessage[] = []
  await consumer.run(async (batch) => void received.push(...batch))
  return received
}

/** The message about the change that created a version of an aggregate. */
export function message(key: string, version: number): TopicMessage {
  return {
    key,
    headers: {
      ce_specversion: '1.0',
      ce_id: `test/${key}/${version}`,
      ce_source: 'test',
      ce_type: 'test.changed.v1',
      ce_time: '2026-01-31T09:30:00.000Z',
    },
    value: JSON.stringify({ version, text: 'Bäckerei “Ähre” 🥐' }),
  }
}

/** `each` messages for each of `keys` keys, with the keys alternating. */
export function messages(keys: number, each: number, firstVersion = 1): TopicMessage[] {
  return Array.from({ length: keys * each }, (_, index) =>
    message(`key-${index % keys}`, firstVersion + Math.floor(index / keys)),
  )
}

/** The ids of each key, in the order of their first delivery. */
export function firstSeen(received: readonly TopicMessage[]): Record<string, string[]> {
  const ids: Record<string, Set<string>> = {}
  for (const { key, headers } of received) {
    ids[key] ??= new Set()
    ids[key].add(headers.ce_id)
  }
  return Object.fromEntries(Object.entries(ids).map(([key, seen]) => [key, [...seen]]))
}
