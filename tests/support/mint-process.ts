import { type ChildProcess, spawn } from 'node:child_process'
import { once } from 'node:events'
import { atEnd } from './cleanup.ts'
import { type Host, loopback } from './hosts.ts'
import { temporaryFolder } from './temporary-folder.ts'
import { waitFor } from './wait-for.ts'

export interface MintOptions {
  readonly dataFolder: string
  /** Added to the environment. When not given, ports are free ones and requests are not limited. */
  readonly environment?: Readonly<Record<string, string>>
  /** What to run instead of this Node with the launcher, for example `['npm', 'start']`. */
  readonly command?: readonly [string, ...string[]]
  readonly arguments?: readonly string[]
  readonly host?: Host
}

export interface MintEnd {
  /** null if a signal ended it. */
  readonly exitCode: number | null
  readonly output: string
  readonly errors: string
}

const LAUNCHER = [process.execPath, 'cli/launch.js', 'start'] as const
const PORTS = { PORT: '0', CONTRACTS_PORT: '0', BUSINESSES_PORT: '0', METRICS_PORT: '0' }
/** High enough that a fast machine isn't rate-limited. */
const LIMITS = { RATE_LIMIT_PER_SECOND: '1000000', PUBLIC_RATE_LIMIT_PER_SECOND: '1000000' }

/** Starts Mint and waits until it is ready. Fails with its output if it exits first. */
export async function startMint(options: MintOptions) {
  const run = runMint(options)
  const ready = waitFor(() => /ready on (\S+)/.exec(run.output()), {
    what: 'Mint to be ready',
  })
  const early = run.ended.then(({ errors }) => Promise.reject(new Error(`Mint ended at its start: ${errors}`)))
  const url = (await Promise.race([ready, early]))[1] ?? ''
  early.catch(() => {})
  await waitFor(() => run.output().includes('Stop it with'), { what: 'the rest of its announcement' })
  const [, contractsAddress = '', businessesAddress = ''] = /contracts (\S+), businesses (\S+)/.exec(run.output()) ?? []
  const metricsUrl = /Metrics +(\S+)/.exec(run.output())?.[1] ?? ''
  const key = /mint_[0-9A-Za-z]{36}\b/.exec(run.output())?.[0] ?? options.environment?.MINT_API_KEY ?? ''
  return { ...run, url, contractsAddress, businessesAddress, metricsUrl, key }
}

/** A Mint in a separate process. */
export type MintProcess = Awaited<ReturnType<typeof startMint>>

/** Starts a Mint that is stopped after the running test. */
export const startedMint = async (options: MintOptions): Promise<MintProcess> => atEnd.kill(await startMint(options))

/** A Mint that runs while the tests of the calling suite do. */
export function sharedMint(options: Partial<MintOptions> = {}): () => MintProcess {
  const folder = temporaryFolder()
  let mint: MintProcess
  before(async () => {
    mint = await startMint({ dataFolder: folder.path, ...options })
  })
  after(async () => {
    await mint.kill()
    folder.remove()
  })
  return () => mint
}

/** Runs Mint and waits only for its exit. */
export function runMint(options: MintOptions) {
  const { dataFolder, environment = {}, command = LAUNCHER, arguments: more = [], host = loopback } = options
  const [first, ...rest] = command
  const [program, ...args] = host.command(first, [...rest, ...more])
  const child: ChildProcess = spawn(program, args, {
    env: { ...withoutSettings(), ...PORTS, ...LIMITS, DATA_DIR: dataFolder, ...environment },
    stdio: ['ignore', 'pipe', 'pipe'],
  })
  const written = { output: '', errors: '' }
  child.stdout?.on('data', (chunk) => (written.output += chunk))
  child.stderr?.on('data', (chunk) => (written.errors += chunk))
  const ended: Promise<MintEnd> = once(child, 'close').then(([exitCode]) => ({ exitCode, ...written }))
  return {
    pid: child.pid ?? 0,
    /** Everything that it has printed so far. */
    output: () => written.output,
    errors: () => written.errors,
    /** Sends a signal to the process that was started. */
    signal: (signal: NodeJS.Signals) => child.kill(signal),
    /** How it ended, once it has. */
    ended,
    /** Kills it with kill -9, and waits for its exit. */
    async kill() {
      child.kill('SIGKILL')
      await ended
    },
  }
}

/** This process's environment without Mint's settings. */
export function withoutSettings(): NodeJS.ProcessEnv {
  const settings =
    /^(MONGO_|KAFKA_|NAMESPACE|PORT|HOST|DATA_DIR|MINT_|CONTRACTS_|BUSINESSES_|RATE_|REQUIRE_|LOG_LEVEL|GATEWAY_|METRICS_|PUBLIC_|TRUSTED_|MAX_CONNECTIONS|DRAIN_|VIEWS_|SERVICE_|GRPC_|TLS_|WEBHOOK_|OIDC_|SIGN_IN_|OTEL_)/
  return Object.fromEntries(Object.entries(process.env).filter(([name]) => !settings.test(name)))
}
