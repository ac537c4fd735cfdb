import { published as ofBusinesses } from '../../services/businesses/published.ts'
import { published as ofContracts } from '../../services/contracts/published.ts'
import { followKafkaSecurity } from '../../shared/adapters/kafka/security.ts'
import { createKafkaTopic, type KafkaTopic } from '../../shared/adapters/kafka/topic.ts'
import { openMongoDatabase } from '../../shared/adapters/mongo/database.ts'
import { isMongoDatabase } from '../../shared/adapters/mongo/format.ts'
import { BEGINNING, type Position } from '../../shared/event-sourcing/event.ts'
import { StoreUnavailable } from '../../shared/event-sourcing/ports/event-store.ts'
import { topicsOf } from '../../shared/events/topics.ts'
import { SERVICE_PARTS, type ServicePart } from '../../shared/kinds/kind.ts'
import { createLogger } from '../../shared/runtime/log/logger.ts'
import { createMetrics } from '../../shared/runtime/metrics/metrics.ts'
import { BUSINESSES_TOPIC, relayOf, topicIn } from '../../shared/runtime/settings/topic-names.ts'
import { sealingWith } from '../../shared/webhooks/secret.ts'
import { directAdmin } from '../admin/operations.ts'
import { openParts, viewsOf } from '../admin/parts.ts'
import { CommandFailure } from '../exit.ts'
import type { MongoConfig } from './config.ts'

const PUBLISHED = { businesses: ofBusinesses, contracts: ofContracts }

/** Opens the databases of a namespace on MongoDB, alongside running processes. Throws CommandFailure. */
export async function openMongoTarget(config: MongoConfig) {
  const { url, namespace, viewsFolder, webhookKey, webhooksByHttp } = config
  await checkThatDataIsThere(url, namespace)
  const parts = await openParts((name) =>
    openMongoDatabase({ url, name: `${namespace}_${name}`, views: viewsOf[name], viewsFolder }),
  )
  const rebuildViews = (): never => {
    throw new CommandFailure(
      'On MongoDB each process has its own views: stop it, remove its folder in VIEWS_DIR, and start it again.',
    )
  }
  /** What had been published when the topic had nothing left to handle. */
  async function delivered(): Promise<Position> {
    const published = await parts.businesses.checkpoints.read(relayOf('businesses'))
    return (await unhandledMessages(config)) === 0 ? published : BEGINNING
  }
  return {
    admin: directAdmin(
      { ...parts, sealing: sealingWith(webhookKey), webhooksByHttp, relayRuns: true, relays: SERVICE_PARTS, delivered },
      { rebuildViews },
    ),
    close: parts.close,
  }
}

/** Throws CommandFailure if there is no Mint in this namespace. */
export async function checkThatDataIsThere(url: string, namespace: string): Promise<void> {
  const isThere = await isMongoDatabase(url, `${namespace}_contracts`).catch((cause) => {
    if (!(cause instanceof StoreUnavailable) || cause.message.includes('MONGO_URL')) throw cause
    throw new CommandFailure(`${cause.message}: start it, or correct the hosts in MONGO_URL.`, { cause })
  })
  if (isThere) return
  throw new CommandFailure(
    `There is no database ${namespace}_contracts: set MONGO_URL and NAMESPACE as for the services, and start them once, which creates it.`,
  )
}

/** How many attempts, of a second each, are made before Kafka counts as unavailable. */
const ATTEMPTS = 5

/** How many messages of the topic the contracts service has not handled; undefined if Kafka doesn't answer. */
export const unhandledMessages = (config: MongoConfig): Promise<number | undefined> =>
  askTopic(config, (topic) => topic.consumerLag())

/** The topics of a service, with the settings that let each lose messages; undefined if Kafka doesn't answer. */
export function topicProblems(config: MongoConfig, part: ServicePart) {
  const topics = [...topicsOf(PUBLISHED[part]).keys()].map(async (name) => ({
    topic: topicIn(config.namespace, name),
    problems: await askTopic(config, (topic) => topic.findProblems(), name),
  }))
  return Promise.all(topics)
}

/** Asks about a topic; undefined if Kafka doesn't answer. Its driver logs nothing: the command says so. */
async function askTopic<Answer>(
  { kafka, namespace }: MongoConfig,
  ask: (topic: KafkaTopic) => Promise<Answer>,
  name = BUSINESSES_TOPIC,
): Promise<Answer | undefined> {
  if (kafka === undefined) return undefined
  const logger = createLogger({ name: 'mint', level: 'fatal' })
  await using ends = new AsyncDisposableStack()
  const atEnd = (end: () => Promise<void>): void => ends.defer(end)
  const security = await followKafkaSecurity(kafka.security, { logger, metrics: createMetrics(logger), atEnd })
  const names = { topic: topicIn(namespace, name), groupId: `${namespace}.contracts` }
  const topic = createKafkaTopic({ ...kafka, ...names, security: security.current, logger })
  atEnd(topic.close)
  for (let attempt = 0; attempt < ATTEMPTS; attempt += 1) {
    const answer = await ask(topic).catch(() => undefined)
    if (answer !== undefined) return answer
  }
  return undefined
}
