import { openMongoDatabase } from '../../shared/adapters/mongo/database.ts'
import { isMongoDatabase } from '../../shared/adapters/mongo/format.ts'
import type { Database } from '../../shared/event-sourcing/ports/database.ts'
import { directAdmin } from '../admin/operations.ts'
import { PART_NAMES, type PartName, viewsOf } from '../admin/parts.ts'
import { CommandFailure } from '../exit.ts'
import type { MongoConfig } from './config.ts'
import type { Target } from './target.ts'
import { openTopic } from './topic.ts'

/** The databases of a namespace on MongoDB, beside the processes that run. Throws CommandFailure. */
export async function openMongoTarget({ url, namespace, viewsFolder, kafka }: MongoConfig): Promise<Target> {
  if (!(await isMongoDatabase(url, `${namespace}_contracts`))) {
    throw thereIsNoDatabase(namespace)
  }
  const open = (name: PartName) =>
    openMongoDatabase({ url, name: `${namespace}_${name}`, views: viewsOf[name], viewsFolder })
  const opening = PART_NAMES.map(open)
  const close = async (): Promise<void> => {
    const opened = await Promise.allSettled(opening)
    await Promise.all(opened.map((one) => (one.status === 'fulfilled' ? one.value.close() : undefined)))
  }
  try {
    const [businesses, contracts, gateway] = (await Promise.all(opening)) as [Database, Database, Database]
    const topic = kafka && openTopic(kafka, namespace)
    const parts = {
      contracts,
      businesses,
      gateway,
      publisher: topic?.publisher ?? { publish: refusePublish },
      relayRuns: true,
    }
    const admin = directAdmin(parts, { rebuildViews: refuseRebuild })
    return { admin, close: async () => void (await Promise.all([topic?.close(), close()])) }
  } catch (error) {
    await close()
    throw error
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
