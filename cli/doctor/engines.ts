import { readServerFacts } from '../../shared/adapters/mongo/server-facts.ts'
import { SERVICE_PARTS } from '../../shared/kinds/kind.ts'
import { PART_NAMES } from '../admin/parts.ts'
import type { MongoConfig } from '../target/config.ts'
import { topicProblems } from '../target/mongo-target.ts'
import { type Finding, ok, wrong } from './finding.ts'

/** The oldest major version that Mint is tested with. */
const OLDEST_MONGODB = 6
/** Leases and times of events tolerate less. */
const CLOCK_SECONDS = 1

/** What MongoDB says of itself: version, replica set, clock, and what the user may do. */
export async function checkMongo({ url, namespace }: MongoConfig): Promise<readonly Finding[]> {
  const databases = PART_NAMES.map((part) => `${namespace}_${part}`)
  try {
    const { version, replicaSet, clockMilliseconds, missingRights } = await readServerFacts(url, databases)
    return [
      versionFinding(version),
      setFinding(replicaSet),
      clockFinding(clockMilliseconds),
      rightsFinding(missingRights),
    ]
  } catch (error) {
    const remedy = 'start it, or correct MONGO_URL'
    return [wrong('MongoDB', { state: 'problem', what: (error as Error).message, remedy })]
  }
}

function versionFinding(version: string): Finding {
  if (Number.parseInt(version, 10) >= OLDEST_MONGODB) return ok('MongoDB', `version ${version}`)
  const what = `version ${version}: Mint is tested with ${OLDEST_MONGODB}.0 and later`
  return wrong('MongoDB', { what, remedy: 'upgrade it' })
}

function setFinding(name: string | undefined): Finding {
  if (name !== undefined) return ok('replica set', name)
  const what = 'MongoDB runs alone: without a replica set there are no transactions'
  return wrong('replica set', { state: 'problem', what, remedy: 'start mongod with --replSet, and initiate the set' })
}

function clockFinding(ahead: number): Finding {
  const what = `MongoDB’s is ${(Math.abs(ahead) / 1_000).toFixed(1)} s ${ahead < 0 ? 'behind' : 'ahead of'} this one`
  if (Math.abs(ahead) < CLOCK_SECONDS * 1_000) return ok('clock', what)
  return wrong('clock', { what, remedy: 'have NTP keep both' })
}

function rightsFinding(missing: readonly string[]): Finding {
  if (missing.length === 0) return ok('rights', 'the user in MONGO_URL may read and write all three databases')
  const remedy = 'give it the role readWrite on them: docs/operations.md, Secured engines'
  return wrong('rights', { state: 'problem', what: `the user in MONGO_URL may not: ${missing.join(', ')}`, remedy })
}

/** Whether Kafka answers, and what in the settings of topics can lose messages. */
export async function checkKafka(config: MongoConfig): Promise<readonly Finding[]> {
  if (config.kafka === undefined) {
    const what = 'not asked, as KAFKA_BROKERS is not set'
    return [wrong('Kafka', { what, remedy: 'set it as for the services' })]
  }
  const topics = (await Promise.all(SERVICE_PARTS.map((part) => topicProblems(config, part)))).flat()
  return topics.flatMap(({ topic, problems }) => topicFindings(topic, problems))
}

function topicFindings(topic: string, problems: readonly string[] | undefined): readonly Finding[] {
  if (problems === undefined) {
    const what = `no answer about the topic ${topic}, or it isn’t there yet`
    const remedy = 'start Kafka, and the services, which make it; or correct the settings that begin with KAFKA_'
    return [wrong('Kafka', { state: 'problem', what, remedy })]
  }
  if (problems.length === 0) return [ok('Kafka', `the topic ${topic} keeps every message`)]
  const remedy = 'change it: docs/operations.md, a topic made elsewhere'
  return problems.map((what) =>
    wrong('Kafka', { state: 'problem', what: `the topic ${topic} can lose messages: ${what}`, remedy }),
  )
}
