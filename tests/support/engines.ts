import { execFileSync } from 'node:child_process'
import { type ContainerAddress, startKafkaContainer, startMongoContainer } from './engine-containers.ts'

/** Where the suites of one engine run, or why they can't. */
export type Engine = { readonly url: string } | { readonly missing: string }

// Loading this file starts what is not given, before suites are registered: only files that need an engine load it.
const [mongo, kafka] = await Promise.all([
  givenOr('MONGO_URL', 'MongoDB', startMongoContainer),
  givenOr('KAFKA_BROKERS', 'Kafka', startKafkaContainer),
])

/** MongoDB from MONGO_URL, the connection string of a replica set, else in a container. */
export const mongoEngine = (): Engine => mongo

/** Kafka from KAFKA_BROKERS, addresses separated by commas, else in a container. */
export const kafkaEngine = (): Engine => kafka

/** KAFKA_CONTROL: a program that starts, kills and removes brokers; see own-broker.ts. */
export const kafkaControl = (): Engine => fromEnvironment('KAFKA_CONTROL', 'program to start and kill Kafka')

/** The program that a test starts servers of its own with: MONGOD_PATH, or `mongod` where the shell finds one. */
export function mongodProgram(): Engine {
  if (process.env.MONGOD_PATH) return { url: process.env.MONGOD_PATH }
  try {
    return { url: execFileSync('sh', ['-c', 'command -v mongod'], { encoding: 'utf8' }).trim() }
  } catch {
    return { missing: 'no mongod: set MONGOD_PATH to the server program' }
  }
}

/** Registers a suite where its engine is there; elsewhere one line says that the suite is left out, and why. */
export function describeOn(engine: Engine, title: string, suite: (url: string) => void): void {
  if ('url' in engine) describe(title, () => suite(engine.url))
  else console.log(`left out: ${title} (${engine.missing})`)
}

/** What a container was started for is in the environment afterwards as if it had been given. */
async function givenOr(variable: string, name: string, start: () => Promise<ContainerAddress>): Promise<Engine> {
  const given = fromEnvironment(variable, name)
  if ('url' in given) return given
  const started = await start()
  if ('missing' in started) return { missing: `${given.missing}; ${started.missing}` }
  process.env[variable] = started.url
  return started
}

function fromEnvironment(variable: string, name: string): Engine {
  const url = process.env[variable]
  return url ? { url } : { missing: `no ${name}: set ${variable}` }
}
