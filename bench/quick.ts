/**
 * `npm run bench:quick`: GET by id and durable POST through Mint's embedded default, beside a default Express app that
 * answers the same JSON from memory. 64 connections, interleaved rounds in one run, load from a process of its own;
 * prints the median of each and the ratios, which are what to compare: the figures of a shared machine drift.
 * `-- --seconds 1` makes each round that long (5 when not given).
 */
import { execFile, spawn } from 'node:child_process'
import { once } from 'node:events'
import { mkdtempSync, readFileSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { parseArgs, promisify } from 'node:util'
import { aNewContract, restClient } from '../tests/support/rest.ts'

const ROUNDS = 3
const SECONDS = Number(parseArgs({ options: { seconds: { type: 'string', default: '5' } } }).values.seconds)
const CONNECTIONS = 64

interface Server {
  readonly url: string
  readonly pid: number
  /** From the start of the process to its first answer, in milliseconds. */
  readonly startMilliseconds: number
  stop(): Promise<void>
}

interface Load {
  readonly name: string
  readonly url: string
  readonly arguments: readonly string[]
}

interface Measured {
  readonly requestsPerSecond: number
  readonly p99Milliseconds: number
}

const KEY = `mint_${'quick'.repeat(6)}`
const data = mkdtempSync(join(tmpdir(), 'mint-bench-'))
const mint = await startServer(['cli/launch.js', 'start'], {
  PORT: '0',
  CONTRACTS_PORT: '0',
  BUSINESSES_PORT: '0',
  DATA_DIR: data,
  MINT_API_KEY: KEY,
  RATE_LIMIT_PER_SECOND: '1000000',
})
const peer = await startServer(['bench/peers/express-memory.ts'], {})
try {
  const idle = residentMegabytes(mint.pid)
  const created = await restClient({ url: mint.url, key: KEY })('POST', '/contracts', aNewContract())
  if (created.status !== 201) throw new Error(`creating a contract answered ${created.status}`)
  const measured = await interleaved([
    get('GET by id, Mint', mint.url),
    get('GET by id, Express from memory', peer.url),
    post('durable POST, Mint', mint.url),
    post('POST kept nowhere, Express', peer.url),
  ])
  for (const [name, { requestsPerSecond, p99Milliseconds }] of measured) {
    console.log(`${name.padEnd(32)} ${requestsPerSecond.toFixed(0).padStart(7)} requests/s   p99 ${p99Milliseconds} ms`)
  }
  const rate = (name: string): number => measured.get(name)?.requestsPerSecond ?? Number.NaN
  const ratio = (ours: string, theirs: string): string => (rate(ours) / rate(theirs)).toFixed(2)
  console.log(`GET by id: ${ratio('GET by id, Mint', 'GET by id, Express from memory')} × Express from memory`)
  console.log(`durable POST: ${ratio('durable POST, Mint', 'POST kept nowhere, Express')} × Express that keeps nothing`)
  console.log(`start to first answer: ${mint.startMilliseconds.toFixed(0)} ms; idle memory: ${idle.toFixed(0)} MB`)
} finally {
  await mint.stop()
  await peer.stop()
  rmSync(data, { recursive: true })
}

function get(name: string, url: string): Load {
  return { name, url: `${url}/contracts/1`, arguments: [] }
}

function post(name: string, url: string): Load {
  const body = JSON.stringify(aNewContract())
  return { name, url: `${url}/contracts`, arguments: ['-m', 'POST', '-H', 'content-type=application/json', '-b', body] }
}

/** Runs the loads in turn, several rounds, after one that warms up; answers each load's median. */
async function interleaved(loads: readonly Load[]): Promise<Map<string, Measured>> {
  const results = new Map<string, Measured[]>(loads.map(({ name }) => [name, []]))
  for (let round = 0; round <= ROUNDS; round++) {
    for (const load of loads) {
      const result = await run(load, round === 0 ? Math.min(2, SECONDS) : SECONDS)
      if (round > 0) results.get(load.name)?.push(result)
    }
  }
  return new Map([...results].map(([name, rounds]) => [name, median(rounds)]))
}

function median(rounds: readonly Measured[]): Measured {
  const sorted = rounds.toSorted((a, b) => a.requestsPerSecond - b.requestsPerSecond)
  const middle = sorted[Math.floor(sorted.length / 2)]
  if (middle === undefined) throw new Error('nothing was measured')
  return middle
}

async function run(load: Load, seconds: number): Promise<Measured> {
  const { stdout } = await promisify(execFile)(
    process.execPath,
    [
      ...['node_modules/autocannon/autocannon.js', '--json', '-c', String(CONNECTIONS), '-d', String(seconds)],
      ...['-H', `authorization=Bearer ${KEY}`, ...load.arguments, load.url],
    ],
    { maxBuffer: 1 << 24 },
  )
  const result = JSON.parse(stdout)
  if (result.non2xx > 0 || result.errors > 0) throw new Error(`${load.name}: ${result.non2xx + result.errors} failed`)
  return { requestsPerSecond: result.requests.average, p99Milliseconds: result.latency.p99 }
}

async function startServer(script: readonly string[], environment: Record<string, string>): Promise<Server> {
  const begun = performance.now()
  const child = spawn(process.execPath, script, {
    env: { ...process.env, ...environment },
    stdio: ['ignore', 'pipe', 'inherit'],
  })
  const url = await new Promise<string>((resolve, reject) => {
    let output = ''
    child.stdout.on('data', (chunk) => {
      output += chunk
      const address = /ready on (\S+)/.exec(output)?.[1]
      if (address) resolve(address)
    })
    child.once('exit', (code) => reject(new Error(`${script[0]} ended with ${code}`)))
  })
  await fetch(`${url}/healthz`)
  return {
    url,
    pid: child.pid ?? 0,
    startMilliseconds: performance.now() - begun,
    async stop() {
      child.kill('SIGTERM')
      await once(child, 'exit')
    },
  }
}

/** Resident memory of a process, in megabytes. Linux only. */
function residentMegabytes(pid: number): number {
  return Number(/VmRSS:\s+(\d+)/.exec(readFileSync(`/proc/${pid}/status`, 'utf8'))?.[1]) / 1000
}
