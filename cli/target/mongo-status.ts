import { publishedBusinesses } from '../../services/businesses/published-events.ts'
import type { ConnectedProcess } from '../../shared/adapters/mongo/app-name.ts'
import { type MongoStatus, openMongoStatus } from '../../shared/adapters/mongo/status.ts'
import { PART_NAMES, type PartName, type ProcessStatus } from '../admin/parts.ts'
import { behind, type Status } from '../admin/status.ts'
import type { MongoConfig } from './config.ts'
import { checkThatDataIsThere, openTopic } from './mongo-target.ts'

/** How often Kafka is asked, a second each, before it counts as away. */
const QUESTIONS = 5

/**
 * How the Mint of a namespace is, by MongoDB and Kafka alone, without changing anything: opening the databases would
 * bring them to this version's format. Throws CommandFailure.
 */
export async function mongoStatus(config: MongoConfig): Promise<Status> {
  const { url, namespace } = config
  await checkThatDataIsThere(url, namespace)
  const opened = await Promise.all(
    PART_NAMES.map(async (part) => [part, await openMongoStatus(url, `${namespace}_${part}`)] as const),
  )
  try {
    const databases = new Map<PartName, MongoStatus>(opened)
    const businesses = databases.get('businesses') as MongoStatus
    const relay = await businesses.lease(publishedBusinesses.name)
    const logs = await Promise.all(
      opened.map(async ([part, database]) => {
        const [position, isImportUnfinished] = [await database.head(), await database.isImportUnfinished()]
        // Each process has views of its own, and says in its metrics how far they are.
        return { part, position, isImportUnfinished, views: [] }
      }),
    )
    const published = behind(logs.find(({ part }) => part === 'businesses')?.position, relay.position)
    const connected = await businesses.processes()
    return {
      processes: connected ? processesOf(namespace, connected) : null,
      logs,
      relay: { isAtWork: relay.isHeld, behind: published },
      unhandledMessages: await unhandledMessages(config),
      deadLetters: await (databases.get('contracts') as MongoStatus).countDeadLetters(),
    }
  } finally {
    for (const [, database] of opened) await database.close()
  }
}

/** A part has one database open; a process with all of them is another command, which is left out. */
function processesOf(namespace: string, connected: readonly ConnectedProcess[]): readonly ProcessStatus[] {
  const all = PART_NAMES.flatMap((name) =>
    connected
      .filter(({ database }) => database === `${namespace}_${name}`)
      .map(({ version = null, at = null }): ProcessStatus => ({ name, version, at })),
  )
  return all.filter(({ at }) => at === null || all.filter((other) => other.at === at).length === 1)
}

async function unhandledMessages({ kafka, namespace }: MongoConfig): Promise<number | null> {
  const topic = openTopic(kafka, namespace)
  let lag: number | undefined
  for (let asked = 0; topic && lag === undefined && asked < QUESTIONS; asked += 1) {
    lag = await topic.consumerLag().catch(() => undefined)
  }
  await topic?.close()
  return lag ?? null
}
