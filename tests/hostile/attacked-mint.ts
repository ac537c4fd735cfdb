import { cpSync } from 'node:fs'
import { ADMIN_SOCKET } from '../../cli/admin/remote/socket.ts'
import { type LimitedHost, limitedHost } from '../support/memory-limit.ts'
import { metricsUrlOf } from '../support/metrics.ts'
import { startMint } from '../support/mint-process.ts'
import { type Rest, restClient } from '../support/rest.ts'
import { separateMint } from '../support/separate-processes.ts'
import { temporaryFolder } from '../support/temporary-folder.ts'
import { fillWithLongNotes } from './filled-mint.ts'

/** The ports of a Mint, and the keys that may be used on them. */
export interface Target {
  readonly rest: number
  readonly contracts: number
  readonly businesses: number
  /** Of each process. */
  readonly metrics: readonly number[]
  /** An attacker's key, which may only read. */
  readonly reader: string
  /** Another key, which may only import contracts. */
  readonly writer: string
}

/** A Mint whose processes each have a container's memory limit, and otherwise the default settings. */
export interface AttackedMint {
  readonly target: Target
  readonly url: string
  /** Calls with a key that has all scopes. */
  readonly call: Rest
  readonly key: string
  /** Peak memory of each process, by name, in megabytes (10^6 bytes). */
  peaks(): Record<string, number>
  /** Frees the page cache, so that the peaks are of memory in use. */
  dropFileCache(): void
  /** The processes that have exited, and why. */
  deaths(): string[]
  /** Resolves when one has exited. */
  readonly death: Promise<unknown>
  remove(): Promise<void>
}

/** Starts Mints with the same records. */
export interface FilledMints {
  start(): Promise<AttackedMint>
  remove(): Promise<void>
}

/** docker-compose.yml */
const MEGABYTES = 512
/** From Dockerfile and docker-compose.yml; everything else is the default of Node and Mint. */
const DEFAULTS = {
  NODE_OPTIONS: '--max-semi-space-size=8',
  MALLOC_ARENA_MAX: '2',
  RATE_LIMIT_PER_SECOND: '300',
  PUBLIC_RATE_LIMIT_PER_SECOND: '50',
}
const READ_SCOPES = ['contracts:read', 'businesses:read', 'clients:read', 'operations:read']
const PARTS = ['contracts', 'businesses', 'gateway'] as const

const portOf = (address: string): number => Number(/:(\d+)(\/|$)/.exec(address)?.[1])

/** Returns the attackers' keys. */
async function filled(call: Rest): Promise<Pick<Target, 'reader' | 'writer'>> {
  await fillWithLongNotes(call)
  const keyFor = async (scopes: readonly string[]): Promise<string> =>
    (await call('POST', '/api-keys', { name: 'Attacker', scopes })).body.key
  return { reader: await keyFor(READ_SCOPES), writer: await keyFor(['contracts:write']) }
}

/** Rate limits that no attack reaches. */
export const HIGH_LIMITS = { RATE_LIMIT_PER_SECOND: '100000', PUBLIC_RATE_LIMIT_PER_SECOND: '100000' }

/** Fills a data folder, of which each Mint gets a copy. */
export async function embeddedMints(settings: Readonly<Record<string, string>> = {}): Promise<FilledMints> {
  const original = temporaryFolder()
  const unlimited = await startMint({ dataFolder: original.path })
  const keys = await filled(restClient(unlimited))
  await unlimited.kill()
  return {
    async start() {
      const folder = temporaryFolder()
      cpSync(original.path, folder.path, { recursive: true, filter: (file) => !file.endsWith(ADMIN_SOCKET) })
      const host = limitedHost(MEGABYTES)
      const environment = { ...DEFAULTS, ...settings, MINT_API_KEY: unlimited.key }
      const mint = await startMint({ dataFolder: folder.path, host, environment })
      let isRunning = true
      mint.ended.then(() => {
        isRunning = false
      })
      return {
        target: {
          rest: portOf(mint.url),
          contracts: portOf(mint.contractsAddress),
          businesses: portOf(mint.businessesAddress),
          metrics: [portOf(mint.metricsUrl)],
          ...keys,
        },
        url: mint.url,
        key: mint.key,
        call: restClient(mint),
        peaks: () => ({ mint: host.peakMegabytes() }),
        dropFileCache: () => host.dropFileCache(),
        deaths: () => (isRunning ? [] : [why('mint', host, mint.errors())]),
        death: mint.ended,
        async remove() {
          await mint.kill()
          await host.remove()
          folder.remove()
        },
      }
    },
    remove: async () => original.remove(),
  }
}

/** Fills a namespace of the engines, in which the Mints run one after another. */
export async function separateMints(mongoUrl: string, brokers: string): Promise<FilledMints> {
  const mint = await separateMint(mongoUrl, brokers)
  const unlimited = PARTS.map((part) => mint.start(part))
  await Promise.all(unlimited.map((part) => part.ready()))
  const keys = await filled(await mint.callerOf(unlimited[2] as never))
  await Promise.all(unlimited.map((part) => part.kill()))
  return {
    async start() {
      const running = PARTS.map((name) => {
        const host = limitedHost(MEGABYTES)
        return { name, host, part: mint.start(name, DEFAULTS, { host }) }
      })
      const addresses = await Promise.all(running.map(({ part }) => part.ready()))
      const metrics = await Promise.all(running.map(({ part }) => metricsUrlOf(part)))
      const url = `http://${addresses[2]}`
      return {
        target: {
          rest: portOf(url),
          contracts: portOf(mint.contractsAddress),
          businesses: portOf(mint.businessesAddress),
          metrics: metrics.map(portOf),
          ...keys,
        },
        url,
        key: mint.key,
        call: restClient({ url, key: mint.key }),
        peaks: () => Object.fromEntries(running.map(({ name, host }) => [name, host.peakMegabytes()])),
        dropFileCache() {
          for (const { host } of running) host.dropFileCache()
        },
        deaths: () =>
          running.flatMap(({ name, host, part }) => (part.isRunning() ? [] : [why(name, host, part.log())])),
        death: Promise.race(running.map(({ part }) => part.gone)),
        async remove() {
          await Promise.all(running.map(({ part }) => part.kill()))
          await Promise.all(running.map(({ host }) => host.remove()))
        },
      }
    },
    remove: () => mint.remove(),
  }
}

function why(name: string, host: LimitedHost, log: string): string {
  if (host.kills() > 0) return `${name} was killed for its memory`
  return `${name} ended: ${/^FATAL.*$/m.exec(log)?.[0] ?? log.slice(-500)}`
}
