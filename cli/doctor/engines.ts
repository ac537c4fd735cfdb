import { readServerFacts } from '../../shared/adapters/mongo/server-facts.ts'
import { SERVICE_PARTS } from '../../shared/kinds/kind.ts'
import { PART_NAMES } from '../admin/parts.ts'
import type { MongoConfig } from '../target/config.ts'
import { topicProblems } from '../target/mongo-target.ts'
import { type Finding, found } from './finding.ts'

/** The oldest major version that Mint is tested with. */
const MIN_MONGODB_VERSION = 6
/** Leases and times of events tolerate less than this. */
const MAX_SKEW_MILLISECONDS = 1_000
const TO_GRANT = 'give it the role readWrite on them: docs/operations.md, Secured engines'

/** Checks MongoDB's version, replica set and clock, and what the user may do there. */
export async function checkMongo({ url, namespace }: MongoConfig): Promise<readonly Finding[]> {
  const databases = PART_NAMES.map((part) => `${namespace}_${part}`)
  try {
    const { version, replicaSet, clockMilliseconds, missingRights } = await readServerFacts(url, databases)
    const isTested = Number.parseInt(version, 10) >= MIN_MONGODB_VERSION
    const tested = `version ${version}; Mint is tested with ${MIN_MONGODB_VERSION}.0 and later`
    const set = replicaSet ?? 'MongoDB runs standalone; Mint needs a replica set, if only of one member'
    const skew = Math.abs(clockMilliseconds)
    const side = clockMilliseconds < 0 ? 'behind' : 'ahead of'
    const mayAll = missingRights.length === 0
    const may = mayAll ? 'may read and write all three databases' : `may not: ${missingRights.join(', ')}`
    return [
      found('MongoDB', isTested ? 'ok' : 'warning', tested, 'upgrade it'),
      found('replica set', replicaSet ? 'ok' : 'problem', set, 'start mongod with --replSet, and initiate the set'),
      found(
        'clock',
        skew < MAX_SKEW_MILLISECONDS ? 'ok' : 'warning',
        `MongoDB’s is ${(skew / 1_000).toFixed(1)} s ${side} this one`,
        'synchronise both with NTP',
      ),
      found('rights', mayAll ? 'ok' : 'problem', `the user in MONGO_URL ${may}`, TO_GRANT),
    ]
  } catch (error) {
    return [found('MongoDB', 'problem', (error as Error).message, 'start it, or correct MONGO_URL')]
  }
}

/** Whether Kafka answers, and which settings let its topics lose messages. */
export async function checkKafka(config: MongoConfig): Promise<readonly Finding[]> {
  if (config.kafka === undefined) {
    const what = 'not checked, because KAFKA_BROKERS is not set'
    return [found('Kafka', 'warning', what, 'set it as for the services')]
  }
  const topics = (await Promise.all(SERVICE_PARTS.map((part) => topicProblems(config, part)))).flat()
  return topics.flatMap(({ topic, problems }) => topicFindings(topic, problems))
}

function topicFindings(topic: string, problems: readonly string[] | undefined): readonly Finding[] {
  if (problems === undefined) {
    const what = `no answer about the topic ${topic}, or it doesn’t exist yet`
    const remedy = 'start Kafka, and the services, which create it; or correct the settings that begin with KAFKA_'
    return [found('Kafka', 'problem', what, remedy)]
  }
  if (problems.length === 0) return [found('Kafka', 'ok', `the topic ${topic} keeps every message`)]
  const remedy = 'change it: docs/operations.md, a topic made elsewhere'
  return problems.map((what) => found('Kafka', 'problem', `the topic ${topic} can lose messages: ${what}`, remedy))
}
