import { freePort } from '../tests/support/free-port.ts'
import { startMint } from '../tests/support/mint-process.ts'
import { aNewContract, type Rest } from '../tests/support/rest.ts'
import { separateMint } from '../tests/support/separate-processes.ts'
import { temporaryFolder } from '../tests/support/temporary-folder.ts'
import { callerOf } from './caller.ts'
import type { Load } from './measure/load.ts'
import type { BenchServer } from './measure/processes.ts'

/** A Mint to measure, and a caller with its key. */
export interface BenchMint extends BenchServer {
  readonly call: Rest
  readonly key: string
}

export const BENCH_KEY = `mint_${'bench'.repeat(6)}`
const SETTINGS = { MINT_API_KEY: BENCH_KEY, RATE_LIMIT_PER_SECOND: '1000000', METRICS_PORT: '0' }

/** As in the Dockerfile: a compile cache, and semi-spaces of 8 MB. */
const AS_IN_THE_IMAGE = {
  NODE_COMPILE_CACHE: 'node_modules/.cache/compiled',
  NODE_OPTIONS: '--max-semi-space-size=8',
}

/** What `npm start` starts, on the data in `folder`; by default in a new one, which is removed at the end. */
export async function startEmbedded(
  options: { readonly dataFolder?: string; readonly environment?: Readonly<Record<string, string>> } = {},
): Promise<BenchMint> {
  const folder = options.dataFolder === undefined ? temporaryFolder() : undefined
  const dataFolder = options.dataFolder ?? folder?.path ?? ''
  const mint = await startMint({ dataFolder, environment: { ...SETTINGS, ...options.environment } })
  return {
    url: mint.url,
    key: BENCH_KEY,
    pids: [mint.pid],
    call: callerOf({ url: mint.url, key: BENCH_KEY }),
    async stop() {
      mint.signal('SIGTERM')
      await mint.ended
      folder?.remove()
    },
  }
}

export interface SeparateOptions {
  /** Starts only the gateway, in front of the services at these addresses. */
  readonly contractsAddress?: string
  /** How many contracts processes; 1 by default. */
  readonly contracts?: number
}

/** Gateway, contracts and businesses as separate processes, on MongoDB and Kafka. */
export async function startSeparate(engines: Engines, options: SeparateOptions = {}): Promise<SeparateBenchMint> {
  const mint = await separateMint(engines.mongoUrl, engines.brokers)
  const ports = await Promise.all(Array.from({ length: options.contracts ?? 1 }, () => freePort()))
  const environment = {
    ...SETTINGS,
    ...AS_IN_THE_IMAGE,
    CONTRACTS_ADDRESS: options.contractsAddress ?? `ipv4:${ports.map((port) => `127.0.0.1:${port}`).join()}`,
  }
  const services = [
    ...ports.map((port) => ({ name: 'contracts', settings: { CONTRACTS_PORT: `${port}` } }) as const),
    { name: 'businesses', settings: {} } as const,
  ]
  const chosen = [
    ...(options.contractsAddress === undefined ? services : []),
    { name: 'gateway', settings: {} } as const,
  ]
  const names = chosen.map(({ name }) => name)
  const parts = chosen.map(({ name, settings }) => mint.start(name, { ...environment, ...settings }))
  const addresses = await Promise.all(parts.map((part) => part.ready()))
  const url = `http://${addresses.at(-1)}`
  return {
    url,
    key: BENCH_KEY,
    pids: parts.map(({ pid }) => pid),
    names,
    call: callerOf({ url, key: BENCH_KEY }),
    async stop() {
      await Promise.all(parts.map((part) => part.end()))
      await mint.remove()
    },
  }
}

export interface SeparateBenchMint extends BenchMint {
  /** Which part each pid belongs to. */
  readonly names: readonly string[]
}

/** The addresses of MongoDB and Kafka, for separate processes. */
export interface Engines {
  readonly mongoUrl: string
  readonly brokers: string
}

const HEADERS = { 'content-type': 'application/json' }
const NEW_CONTRACT = JSON.stringify(aNewContract())

/** Reads one record repeatedly. `key` only for Mint. */
export const getLoad = (url: string, id: unknown, key?: string): Load => ({
  url: `${url}/contracts/${id}`,
  method: 'GET',
  headers: key === undefined ? {} : { authorization: `Bearer ${key}` },
})

/** Reads the newest 50 records, with the total, repeatedly. `key` only for Mint. */
export const listLoad = (url: string, key?: string): Load => ({
  ...getLoad(url, '', key),
  url: `${url}/contracts?limit=50`,
})

/** Creates contracts. */
export const postLoad = (url: string, key?: string): Load => ({
  url: `${url}/contracts`,
  method: 'POST',
  headers: { ...HEADERS, ...(key !== undefined && { authorization: `Bearer ${key}` }) },
  body: NEW_CONTRACT,
})

/** Sends one request, and returns the milliseconds until its answer was read. */
export async function timeOf({ call }: BenchMint, method: string, path: string, body?: object): Promise<number> {
  const begun = performance.now()
  const { status, text } = await call(method, path, body)
  if (status >= 300) throw new Error(`${method} ${path} answered ${status}: ${text}`)
  return performance.now() - begun
}

/** Creates a contract on any of the servers, and returns its id. */
export async function createContract(url: string, key = 'mint_none'): Promise<unknown> {
  const { status, text, body } = await callerOf({ url, key })('POST', '/contracts', aNewContract())
  if (status !== 201) throw new Error(`creating a contract on ${url} answered ${status}: ${text}`)
  return body.id ?? body._id
}

/** Creates this many contracts on any of the servers. */
export async function createContracts(url: string, count: number, key?: string): Promise<void> {
  for (let left = count; left > 0; left -= AT_ONCE) {
    await Promise.all(Array.from({ length: Math.min(AT_ONCE, left) }, () => createContract(url, key)))
  }
}

const AT_ONCE = 50
