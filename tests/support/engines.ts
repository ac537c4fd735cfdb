import { execFileSync, spawnSync } from 'node:child_process'
import { existsSync } from 'node:fs'
import type { KafkaConfig } from 'kafkajs'
import type { KafkaSecurity } from '../../shared/adapters/kafka/security.ts'

/** Where the suites of one engine run, or why they can't. */
export type Engine = ({ readonly url: string } | { readonly missing: string }) & {
  /** Whether it is a server that not every run has: its suites are tagged. */
  readonly isServer?: true
}

/** Ends the titles of suites on servers: `mocha --grep @engines` runs only those. */
const TAG = '@engines'

/** MongoDB from MONGO_URL, the connection string of a replica set; `npm test` may have set it, see engine-containers.ts. */
export const mongoEngine = (): Engine => fromEnvironment('MONGO_URL', 'MongoDB', OR_DOCKER)

/** What suites need to use engines that take only users: MINT_TEST_SECURED, made by secured-engines.ts; elsewhere undefined. */
export interface Secured {
  /** The connection string of a user with all rights: that of the suites may only use databases of some names. */
  readonly mongoAdminUrl: string
  /** Those names. */
  readonly databases: readonly string[]
  readonly kafka: KafkaSecurity
  readonly kafkaAdmin: KafkaConfig
}

export function secured(): Secured | undefined {
  const { MINT_TEST_SECURED: text } = process.env
  return text ? JSON.parse(text) : undefined
}

/** Kafka from KAFKA_BROKERS, addresses separated by commas; likewise. */
export const kafkaEngine = (): Engine => fromEnvironment('KAFKA_BROKERS', 'Kafka', OR_DOCKER)

/** MongoDB, where there is Kafka, too. */
export function bothEngines(): Engine {
  const brokers = kafkaEngine()
  return 'missing' in brokers ? brokers : mongoEngine()
}

/** KAFKA_CONTROL: a program that starts, kills and removes brokers; see own-broker.ts. */
export const kafkaControl = (): Engine => fromEnvironment('KAFKA_CONTROL', 'program to start and kill Kafka')

/** The folder of Kafka's jars, which a test starts a broker of its own with: KAFKA_LIBS. Java is needed, too. */
export const kafkaLibs = (): Engine => fromEnvironment('KAFKA_LIBS', 'Kafka’s jars')

/** The program that a test starts servers of its own with: MONGOD_PATH, or `mongod` where the shell finds one. */
export const mongodProgram = (): Engine => ({
  ...(process.env.MONGOD_PATH
    ? { url: process.env.MONGOD_PATH }
    : programOf('mongod', 'no mongod: set MONGOD_PATH to the server program')),
  isServer: true,
})

/** The Go command, which builds programs that tests check by. */
export const goProgram = (): Engine =>
  existsSync(GO_OF_ITS_OWN_INSTALLER) ? { url: GO_OF_ITS_OWN_INSTALLER } : programOf('go', 'no Go: install golang-go')

/** What examples in Python run on. */
export const pythonProgram = (): Engine => programOf('python3', 'no Python: install python3')

/** Python that checks Ed25519 signatures. */
export const pythonWithCryptography = (): Engine =>
  spawnSync('python3', ['-c', 'import cryptography']).status === 0
    ? pythonProgram()
    : { missing: 'no cryptography in Python: install python3-cryptography' }

/** The browser that the console is tested in. */
export const chromiumProgram = (): Engine =>
  process.env.CHROMIUM_PATH
    ? { url: process.env.CHROMIUM_PATH }
    : programOf('chromium', 'no Chromium: install chromium, or set CHROMIUM_PATH to the program')

const GO_OF_ITS_OWN_INSTALLER = '/usr/local/go/bin/go'

/** Registers a suite where its engine is there; elsewhere one line says that the suite is left out, and why. */
export function describeOn(engine: Engine, title: string, suite: (url: string) => void): void {
  const tagged = engine.isServer ? `${title} ${TAG}` : title
  if ('url' in engine) describe(tagged, () => suite(engine.url))
  else console.log(`left out: ${tagged} (${engine.missing})`)
}

const OR_DOCKER = ', or run `npm test` where a Docker engine answers'

function fromEnvironment(variable: string, name: string, orElse = ''): Engine {
  const url = process.env[variable]
  return { ...(url ? { url } : { missing: `no ${name}: set ${variable}${orElse}` }), isServer: true }
}

function programOf(name: string, missing: string): Engine {
  try {
    return { url: execFileSync('sh', ['-c', `command -v ${name}`], { encoding: 'utf8' }).trim() }
  } catch {
    return { missing }
  }
}
