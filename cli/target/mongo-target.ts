import { followKafkaSecurity } from '../../shared/adapters/kafka/security.ts'
import { createKafkaTopic, type KafkaTopic } from '../../shared/adapters/kafka/topic.ts'
import { openMongoDatabase } from '../../shared/adapters/mongo/database.ts'
import { isMongoDatabase } from '../../shared/adapters/mongo/format.ts'
import { createLogger } from '../../shared/logger.ts'
import { createMetrics } from '../../shared/metrics/metrics.ts'
import { businessesTopic } from '../../shared/topic-names.ts'
import { directAdmin } from '../admin/operations.ts'
import { openParts, viewsOf } from '../admin/parts.ts'
import type { Target } from '../cli.ts'
import { CommandFailure } from '../exit.ts'
import type { MongoConfig } from './config.ts'

/** The databases of a namespace on MongoDB, beside the processes that run. Throws CommandFailure. */
export async function openMongoTarget({ url, namespace, viewsFolder, kafka }: MongoConfig): Promise<Target> {
  await checkThatDataIsThere(url, namespace)
  const parts = await openParts((name) =>
    openMongoDatabase({ url, name: `${namespace}_${name}`, views: viewsOf[name], viewsFolder }),
  )
  const topic = await openTopic(kafka, namespace)
  const publisher = topic?.publisher ?? {
    publish: refuse('Dead letters are replayed through Kafka: set KAFKA_BROKERS as for the services.'),
  }
  const rebuildViews = refuse(
    'On MongoDB each process has views of its own: stop it, remove its folder in VIEWS_DIR, and start it again.',
  )
  return {
    admin: directAdmin({ ...parts, publisher, relayRuns: true }, { rebuildViews }),
    close: async () => void (await Promise.all([topic?.close(), parts.close()])),
  }
}

/** Throws CommandFailure where there is no Mint of this namespace. */
export async function checkThatDataIsThere(url: string, namespace: string): Promise<void> {
  if (await isMongoDatabase(url, `${namespace}_contracts`)) return
  throw new CommandFailure(
    `There is no database ${namespace}_contracts: set MONGO_URL and NAMESPACE as they are set for the services.`,
  )
}

/** The topic of businesses; what Kafka's driver would log is told by the command that fails. */
export async function openTopic(kafka: MongoConfig['kafka'], namespace: string): Promise<KafkaTopic | undefined> {
  if (kafka === undefined) return undefined
  const logger = createLogger({ name: 'mint', level: 'fatal' })
  const security = await followKafkaSecurity(kafka.security, { logger, metrics: createMetrics(logger) })
  const name = { topic: businessesTopic(namespace), groupId: `${namespace}.contracts` }
  const topic = createKafkaTopic({ ...kafka, ...name, security: security.current, logger })
  return { ...topic, close: async () => void (await Promise.all([topic.close(), security.stop()])) }
}

const refuse = (why: string) => (): never => {
  throw new CommandFailure(why)
}
