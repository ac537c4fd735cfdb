import { randomUUID } from 'node:crypto'
import { atEnd } from './cleanup.ts'
import { freePort } from './free-port.ts'
import { TEST_SECRET } from './grpc-access.ts'
import { deleteTopics } from './kafka-topics.ts'
import { dropDatabase } from './mongo-database.ts'
import { type PartOptions, type PartProcess, startPart } from './part-process.ts'
import { restClient } from './rest.ts'
import { newFolder, temporaryFolder } from './temporary-folder.ts'
import { waitFor } from './wait-for.ts'

export type PartName = 'contracts' | 'businesses' | 'gateway'

/** The main file of each part. */
export const MAIN_FILES = {
  contracts: 'services/contracts/main.ts',
  businesses: 'services/businesses/main.ts',
  gateway: 'gateway/main.ts',
}
const KEY = `mint_${'k'.repeat(30)}`

const WITHOUT_ENGINES = {
  MONGO_URL: 'mongodb://127.0.0.1:1/?replicaSet=rs0',
  KAFKA_BROKERS: '127.0.0.1:1',
  MINT_API_KEY: KEY,
  SERVICE_SECRET: TEST_SECRET,
  PORT: '0',
  METRICS_PORT: '0',
  CONTRACTS_PORT: '0',
  BUSINESSES_PORT: '0',
  DRAIN_SECONDS: '0',
}

/** Starts a part that waits for engines that it can't reach, until the end of the running test. */
export const partWithoutEngines = (
  part: PartName,
  environment: Readonly<Record<string, string>> = {},
  options: PartOptions = {},
): PartProcess =>
  atEnd.kill(startPart(MAIN_FILES[part], { ...WITHOUT_ENGINES, VIEWS_DIR: newFolder(), ...environment }, options))

/** The parts of a Mint in its own namespace, not yet started. `ownEngines`: nothing has to be dropped from them. */
export async function separateMint(
  mongoUrl: string,
  brokers = process.env.KAFKA_BROKERS ?? '',
  { ownEngines = false } = {},
) {
  const namespace = `t${randomUUID().slice(0, 13)}`
  const [contractsPort, businessesPort] = await Promise.all([freePort(), freePort()])
  const views = temporaryFolder()
  const settings = { MONGO_URL: mongoUrl, KAFKA_BROKERS: brokers, NAMESPACE: namespace }
  const environment = {
    ...settings,
    CONTRACTS_PORT: `${contractsPort}`,
    BUSINESSES_PORT: `${businessesPort}`,
    CONTRACTS_ADDRESS: `127.0.0.1:${contractsPort}`,
    BUSINESSES_ADDRESS: `127.0.0.1:${businessesPort}`,
    MINT_API_KEY: KEY,
    SERVICE_SECRET: TEST_SECRET,
    PORT: '0',
    METRICS_PORT: '0',
    VIEWS_DIR: views.path,
    RATE_LIMIT_PER_SECOND: '100000',
    PUBLIC_RATE_LIMIT_PER_SECOND: '100000',
    DRAIN_SECONDS: '0',
  }
  const running = new Set<PartProcess>()
  const start = (part: PartName, changes: Readonly<Record<string, string>> = {}, options: PartOptions = {}) => {
    const started = startPart(MAIN_FILES[part], { ...environment, ...changes }, options)
    running.add(started)
    return started
  }
  const callerOf = async (gateway: PartProcess) => restClient({ url: `http://${await gateway.ready()}`, key: KEY })
  return {
    contractsAddress: environment.CONTRACTS_ADDRESS,
    businessesAddress: environment.BUSINESSES_ADDRESS,
    /** The prefix of its databases, topics and consumer groups. */
    namespace,
    /** With these, commands use the same databases and topics as its processes. */
    settings,
    /** The configured key. */
    key: KEY,
    start,
    /** Calls a gateway that is ready. */
    callerOf,
    /** Starts a process of each part, and waits until the gateway reaches the others; `call` calls it. */
    async startAll(changes: Readonly<Record<string, string>> = {}) {
      const [contracts, businesses] = [start('contracts', changes), start('businesses', changes)]
      const gateway = start('gateway', changes)
      await Promise.all([contracts, businesses, gateway].map((part) => part.ready()))
      const call = await callerOf(gateway)
      const isReady = async () => (await call('GET', '/readyz')).status === 200
      await waitFor(isReady, { every: 100, what: 'the gateway to reach the services' })
      return { contracts, businesses, gateway, call }
    },
    /** Kills what is still running, and drops databases and topics. */
    async remove() {
      await Promise.all([...running].map((part) => part.kill()))
      views.remove()
      if (ownEngines) return
      await Promise.all([dropDatabases(mongoUrl, namespace), deleteTopics(brokers, `${namespace}.`)])
    },
  }
}

/** Mint on MongoDB and Kafka, in its own namespace, on ports that stay the same when a part restarts. */
export type SeparateMint = Awaited<ReturnType<typeof separateMint>>

/** The same, removed after the running test. */
export const newSeparateMint = async (...options: Parameters<typeof separateMint>): Promise<SeparateMint> =>
  atEnd.remove(await separateMint(...options))

async function dropDatabases(mongoUrl: string, namespace: string): Promise<void> {
  for (const service of ['contracts', 'businesses', 'gateway']) await dropDatabase(mongoUrl, `${namespace}_${service}`)
}
