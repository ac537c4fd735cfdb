import { randomUUID } from 'node:crypto'
import { fileURLToPath } from 'node:url'
import { deleteTopics } from '../../support/kafka-topics.ts'
import { type Mongod, startReplicaSet } from '../../support/mongod.ts'
import { MAIN_FILES } from '../../support/separate-processes.ts'
import { temporaryFolder } from '../../support/temporary-folder.ts'
import { commandLine } from './command-line.ts'
import { endpoint, forward } from './forwarder.ts'
import { type Member, member } from './member.ts'
import { createNetwork } from './network.ts'
import { changeSetting, type SourceChange } from './source-change.ts'

const HOOK = fileURLToPath(new URL('./process-hook.ts', import.meta.url))
const KEY = `mint_${'k'.repeat(30)}`
const SECRET = 's'.repeat(32)
const MONGODS = ['mongo0', 'mongo1', 'mongo2']
const CONTRACTS = ['contracts0', 'contracts1', 'contracts2']
const GATEWAYS = ['gateway0', 'gateway1']
/** The clock error of each process, in milliseconds. */
const CLOCKS: Readonly<Record<string, number>> = { contracts1: -2_000, contracts2: 3_000, businesses: 1_000 }
const PORTS = { contracts: 50_051, businesses: 50_052, gateway: 8_080 }

interface Engines {
  readonly mongodProgram: string
  /** Only the first broker is used. */
  readonly kafkaBrokers: string
  /** Starts a broken build. */
  readonly defect?: readonly SourceChange[] | undefined
}

/** Starts three members of a replica set, three contracts processes, one businesses process and two gateways. */
export async function startCluster({ mongodProgram, kafkaBrokers, defect }: Engines) {
  await using ends = new AsyncDisposableStack()
  const network = await createNetwork([...MONGODS, ...CONTRACTS, 'businesses', ...GATEWAYS])
  ends.defer(() => network.remove())
  const mongoHosts = MONGODS.map((name) => network.host(name))
  const mongo = await startReplicaSet(mongodProgram, 3, mongoHosts)
  ends.defer(() => mongo.remove())
  const [broker = ''] = kafkaBrokers.split(',')
  const kafka = { host: network.ownAddress, port: endpoint(broker).port }
  const toKafka = await forward(kafka, endpoint(broker))
  ends.defer(() => toKafka.close())
  const [views, commandViews] = [temporaryFolder(), temporaryFolder()]
  ends.defer(views.remove)
  ends.defer(commandViews.remove)
  const namespace = `torture${randomUUID().slice(0, 8)}`
  ends.defer(() => deleteTopics(broker, `${namespace}.`))

  const addressesOf = (names: readonly string[], port: number): string =>
    names.map((name) => `${network.host(name).address}:${port}`).join(',')
  const shared = {
    MONGO_URL: mongo.url,
    KAFKA_BROKERS: broker,
    TORTURE_KAFKA: `${kafka.host}:${kafka.port}`,
    NAMESPACE: namespace,
    CONTRACTS_ADDRESS: `ipv4:${addressesOf(CONTRACTS, PORTS.contracts)}`,
    BUSINESSES_ADDRESS: addressesOf(['businesses'], PORTS.businesses),
    MINT_API_KEY: KEY,
    SERVICE_SECRET: SECRET,
    CONTRACTS_PORT: `${PORTS.contracts}`,
    BUSINESSES_PORT: `${PORTS.businesses}`,
    PORT: `${PORTS.gateway}`,
    METRICS_PORT: '0',
    VIEWS_DIR: views.path,
    RATE_LIMIT_PER_SECOND: '100000',
    PUBLIC_RATE_LIMIT_PER_SECOND: '100000',
    DRAIN_SECONDS: '0',
    ...(defect && changeSetting(defect)),
  }
  const start = (part: keyof typeof MAIN_FILES, name: string): Member => {
    const host = network.host(name)
    const clock = { TORTURE_CLOCK: `${CLOCKS[name] ?? 0}` }
    const environment = { ...shared, ...clock, HOST: host.address, GRPC_HOST: host.address }
    const started = member({ name, host, file: MAIN_FILES[part], environment, hook: HOOK, port: PORTS[part] })
    ends.defer(() => started.kill())
    return started
  }
  const businesses = start('businesses', 'businesses')
  const contracts = CONTRACTS.map((name) => start('contracts', name))
  const gateways = GATEWAYS.map((name) => start('gateway', name))
  const all = [businesses, ...contracts, ...gateways]
  await Promise.all(all.map((one) => one.ready()))
  const toRemove = ends.move()
  return {
    network,
    mongo,
    contracts,
    businesses,
    gateways,
    namespace,
    key: KEY,
    mint: commandLine({
      MONGO_URL: mongo.url,
      KAFKA_BROKERS: broker,
      NAMESPACE: namespace,
      VIEWS_DIR: commandViews.path,
      MINT_URL: `http://${network.host('gateway0').address}:${PORTS.gateway}`,
      MINT_API_KEY: KEY,
    }),
    /** Cuts processes off from Kafka until the returned function is called. */
    cutKafka: (from: readonly Member[]) => toKafka.cut(from.map(({ host }) => host)),
    /** Deletes the topic. */
    loseMessages: () => deleteTopics(broker, `${namespace}.`),
    /** The host of a mongod. */
    hostOf: (mongod: Mongod) => network.host(MONGODS[mongo.members.indexOf(mongod)] ?? ''),
    /** The log of every process, by name. */
    logs: () => new Map(all.map((one) => [one.name, one.log()])),
    remove: () => toRemove.disposeAsync(),
  }
}

/** Mint as it is deployed, each process on its own host. */
export type Cluster = Awaited<ReturnType<typeof startCluster>>
