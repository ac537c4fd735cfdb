import { execFileSync, spawnSync } from 'node:child_process'
import { existsSync } from 'node:fs'
import type { KafkaConfig } from 'kafkajs'
import type { KafkaSecurity } from '../../shared/adapters/kafka/security.ts'

/** Where the suites for one engine run, or why they can't. */
export type Engine = ({ readonly url: string } | { readonly missing: string }) & {
  /** Whether it is a server that not every run has; its suites are tagged. */
  readonly isServer?: true
}

/** Appended to the titles of suites that need servers: `mocha --grep @engines` runs only those. */
const TAG = '@engines'

/** MongoDB from MONGO_URL, a replica set's connection string; `npm test` may set it, see engine-containers.ts. */
export const mongoEngine = (): Engine => fromEnvironment('MONGO_URL', 'MongoDB', OR_DOCKER)

/** What suites need on engines that require users: MINT_TEST_SECURED, set by secured-engines.ts, or undefined. */
export interface Secured {
  /** The connection string of a user with all rights: the suites' user may only use certain databases. */
  readonly mongoAdminUrl: string
  /** The names of those databases. */
  readonly databases: readonly string[]
  readonly kafka: KafkaSecurity
  readonly kafkaAdmin: KafkaConfig
}

export function secured(): Secured | undefined {
  const { MINT_TEST_SECURED: text } = process.env
  return text ? JSON.parse(text) : undefined
}

/** Kafka from KAFKA_BROKERS, addresses separated by commas; may also be set by `npm test`. */
export const kafkaEngine = (): Engine => fromEnvironment('KAFKA_BROKERS', 'Kafka', OR_DOCKER)

/** MongoDB, if Kafka is available, too. */
export function bothEngines(): Engine {
  const brokers = kafkaEngine()
  return 'missing' in brokers ? brokers : mongoEngine()
}

/** KAFKA_CONTROL: a program that starts, kills and removes brokers; see own-broker.ts. */
export const kafkaControl = (): Engine => fromEnvironment('KAFKA_CONTROL', 'program to start and kill Kafka')

/** KAFKA_LIBS: the folder of Kafka's jars, with which a test starts its own broker. Needs Java, too. */
export const kafkaLibs = (): Engine => fromEnvironment('KAFKA_LIBS', 'Kafka’s jars')

/** The program with which a test starts its own servers: MONGOD_PATH, or `mongod` from the PATH. */
export const mongodProgram = (): Engine => ({
  ...(process.env.MONGOD_PATH
    ? { url: process.env.MONGOD_PATH }
    : programOf('mongod', 'no mongod: set MONGOD_PATH to the server program')),
  isServer: true,
})

/** The Go command, which builds checkers that tests use. */
export const goProgram = (): Engine =>
  existsSync(INSTALLED_GO) ? { url: INSTALLED_GO } : programOf('go', 'no Go: install golang-go')

/** The Python that runs the examples. */
export const pythonProgram = (): Engine => programOf('python3', 'no Python: install python3')

/** A Python that can verify Ed25519 signatures. */
export const pythonWithCryptography = (): Engine =>
  spawnSync('python3', ['-c', 'import cryptography']).status === 0
    ? pythonProgram()
    : { missing: 'no cryptography in Python: install python3-cryptography' }

/** The browser that the console is tested in. The headless shell needs half the processor time of full Chromium. */
export const chromiumProgram = (): Engine =>
  process.env.CHROMIUM_PATH
    ? { url: process.env.CHROMIUM_PATH }
    : programOf(
        ['chromium-headless-shell', 'chromium'],
        'no Chromium: install chromium-headless-shell or chromium, or set CHROMIUM_PATH to the program',
      )

const INSTALLED_GO = '/usr/local/go/bin/go'

/** Registers a suite if its engine is available; otherwise prints one line that the suite is skipped, and why. */
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

/** The first of several programs on the PATH, or in a folder for the programs of administrators. */
export function programOf(names: string | readonly string[], missing: string): Engine {
  const search = [names].flat().map((name) => `command -v ${name}`)
  const env = { PATH: `${process.env.PATH}:/usr/sbin` }
  try {
    return { url: execFileSync('sh', ['-c', search.join(' || ')], { encoding: 'utf8', env }).trim() }
  } catch {
    return { missing }
  }
}
