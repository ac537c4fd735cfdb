import { type ChildProcess, spawn } from 'node:child_process'
import { randomUUID } from 'node:crypto'
import { once } from 'node:events'
import { freePort } from './free-port.ts'
import { deleteTopics } from './kafka-topics.ts'
import { dropDatabase } from './mongo-database.ts'
import { type Rest, restClient } from './rest.ts'
import { temporaryFolder } from './temporary-folder.ts'
import { waitFor } from './wait-for.ts'

type PartName = 'contracts' | 'businesses' | 'gateway'

/** One part of Mint in a process of its own. */
export interface PartProcess {
  readonly pid: number
  /** Answers `host:port` when it says that it is ready, a gateway that it listens. */
  ready(): Promise<string>
  /** What it wrote to its log. */
  log(): string
  kill(): Promise<void>
  /** SIGTERM; answers the exit code. */
  end(): Promise<number | null>
}

/** Mint on MongoDB and Kafka, in a namespace of its own, on ports that stay the same when a part starts again. */
export interface SeparateMint {
  readonly contractsAddress: string
  readonly businessesAddress: string
  /** Begins the names of its databases, topics and consumer groups. */
  readonly namespace: string
  /** The configured one. */
  readonly key: string
  /** `folder`: of another version of Mint, with its code. */
  start(part: PartName, environment?: Readonly<Record<string, string>>, folder?: string): PartProcess
  /** Calls a gateway that is ready. */
  callerOf(gateway: PartProcess): Promise<Rest>
  /** Kills what still runs, and drops databases and topics. */
  remove(): Promise<void>
}

const FILES = {
  contracts: 'services/contracts/main.ts',
  businesses: 'services/businesses/main.ts',
  gateway: 'gateway/main.ts',
}
const KEY = `mint_${'k'.repeat(30)}`

/** The parts of a Mint with a namespace of its own, none of them started yet. */
export async function separateMint(mongoUrl: string, brokers: string): Promise<SeparateMint> {
  const namespace = `t${randomUUID().slice(0, 13)}`
  const [contractsPort, businessesPort] = await Promise.all([freePort(), freePort()])
  const views = temporaryFolder()
  const environment = {
    MONGO_URL: mongoUrl,
    KAFKA_BROKERS: brokers,
    NAMESPACE: namespace,
    CONTRACTS_PORT: `${contractsPort}`,
    BUSINESSES_PORT: `${businessesPort}`,
    CONTRACTS_ADDRESS: `127.0.0.1:${contractsPort}`,
    BUSINESSES_ADDRESS: `127.0.0.1:${businessesPort}`,
    MINT_API_KEY: KEY,
    PORT: '0',
    METRICS_PORT: '0',
    VIEWS_DIR: views.path,
    RATE_LIMIT_PER_SECOND: '100000',
    PUBLIC_RATE_LIMIT_PER_SECOND: '100000',
    DRAIN_SECONDS: '0',
  }
  const running = new Set<PartProcess>()
  return {
    contractsAddress: environment.CONTRACTS_ADDRESS,
    businessesAddress: environment.BUSINESSES_ADDRESS,
    namespace,
    key: KEY,
    start(part, changes = {}, folder = '.') {
      const started = startPart(FILES[part], { ...environment, ...changes }, folder)
      running.add(started)
      return started
    },
    async callerOf(gateway) {
      return restClient({ url: `http://${await gateway.ready()}`, key: KEY })
    },
    async remove() {
      await Promise.all([...running].map((part) => part.kill()))
      views.remove()
      await Promise.all([dropDatabases(mongoUrl, namespace), deleteTopics(brokers, `${namespace}.`)])
    },
  }
}

function startPart(file: string, environment: Readonly<Record<string, string>>, folder: string): PartProcess {
  const child: ChildProcess = spawn(process.execPath, [file], {
    cwd: folder,
    env: { PATH: process.env.PATH, ...environment },
    stdio: ['ignore', 'inherit', 'pipe'],
  })
  let log = ''
  child.stderr?.on('data', (chunk) => {
    log += chunk
  })
  const gone = once(child, 'close')
  return {
    pid: child.pid ?? 0,
    log: () => log,
    async ready() {
      const [, address = ''] = await waitFor(() => /"address":"([^"]+)","msg":"(?:ready|listening)"/.exec(log), {
        timeout: 40_000,
        what: `${file} to be ready: ${log}`,
      })
      return address
    },
    async kill() {
      child.kill('SIGKILL')
      await gone
    },
    async end() {
      child.kill('SIGTERM')
      const [exitCode] = await gone
      return exitCode
    },
  }
}

async function dropDatabases(mongoUrl: string, namespace: string): Promise<void> {
  for (const service of ['contracts', 'businesses', 'gateway']) await dropDatabase(mongoUrl, `${namespace}_${service}`)
}
