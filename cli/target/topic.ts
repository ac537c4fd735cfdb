import { createKafkaTopic, type KafkaTopic } from '../../shared/adapters/kafka/topic.ts'
import { createLogger } from '../../shared/logger.ts'
import { businessesTopic } from '../../shared/topic-names.ts'
import type { MongoConfig } from './config.ts'

type KafkaConfig = NonNullable<MongoConfig['kafka']>

/** The topic of businesses; what Kafka's driver would log is told by the command that fails. */
export function openTopic(kafka: KafkaConfig, namespace: string): KafkaTopic {
  return createKafkaTopic({
    ...kafka,
    topic: businessesTopic(namespace),
    groupId: `${namespace}.contracts`,
    logger: createLogger({ name: 'mint', level: 'fatal' }),
  })
}
