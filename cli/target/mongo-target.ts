import { openMongoDatabase } from '../../shared/adapters/mongo/database.ts'
import { isMongoDatabase } from '../../shared/adapters/mongo/format.ts'
import { directAdmin } from '../admin/operations.ts'
import { openParts, viewsOf } from '../admin/parts.ts'
import type { Target } from '../cli.ts'
import { CommandFailure } from '../exit.ts'
import type { MongoConfig } from './config.ts'
import { openTopic } from './topic.ts'

/** The databases of a namespace on MongoDB, beside the processes that run. Throws CommandFailure. */
export async function openMongoTarget({ url, namespace, viewsFolder, kafka }: MongoConfig): Promise<Target> {
  if (!(await isMongoDatabase(url, `${namespace}_contracts`))) {
    throw thereIsNoDatabase(namespace)
  }
  const parts = await openParts((name) =>
    openMongoDatabase({ url, name: `${namespace}_${name}`, views: viewsOf[name], viewsFolder }),
  )
  const topic = kafka && openTopic(kafka, namespace)
  const publisher = topic?.publisher ?? { publish: refusePublish }
  return {
    admin: directAdmin({ ...parts, publisher, relayRuns: true }, { rebuildViews: refuseRebuild }),
    close: async () => void (await Promise.all([topic?.close(), parts.close()])),
  }
}

export const thereIsNoDatabase = (namespace: string): CommandFailure =>
  new CommandFailure(
    `There is no database ${namespace}_contracts: set MONGO_URL and NAMESPACE as they are set for the services.`,
  )

const refuseRebuild = (): never => {
  throw new CommandFailure(
    'On MongoDB each process has views of its own: stop it, remove its folder in VIEWS_DIR, and start it again.',
  )
}

const refusePublish = (): never => {
  throw new CommandFailure('Dead letters are replayed through Kafka: set KAFKA_BROKERS as for the services.')
}
