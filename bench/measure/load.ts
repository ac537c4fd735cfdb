import { execFile, execFileSync } from 'node:child_process'
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { promisify } from 'node:util'

/** Requests to send repeatedly. */
export interface Load {
  readonly url: string
  readonly method: 'GET' | 'POST'
  readonly headers: Readonly<Record<string, string>>
  readonly body?: string
  /** The share of a round's requests that may fail, which is then logged; none by default. */
  readonly mayFail?: number
}

export interface LoadResult {
  readonly requestsPerSecond: number
  readonly p50Milliseconds: number
  readonly p99Milliseconds: number
}

/** Sends a load for some seconds over some connections, one request at a time on each. */
export type LoadGenerator = (load: Load, seconds: number, connections: number) => Promise<LoadResult>

/** wrk if it is installed (it takes a fraction of a core), otherwise autocannon (it takes a whole one). */
export function chooseLoadGenerator(): { readonly name: string; readonly send: LoadGenerator } {
  try {
    execFileSync('wrk', ['-v'], { stdio: 'pipe' })
  } catch (error) {
    // wrk -v prints its version and exits with 1; only a missing wrk is an error.
    if ((error as NodeJS.ErrnoException).code === 'ENOENT') return { name: 'autocannon', send: sendByAutocannon }
  }
  return { name: 'wrk', send: sendByWrk }
}

const run = promisify(execFile)

async function sendByWrk(load: Load, seconds: number, connections: number): Promise<LoadResult> {
  const folder = mkdtempSync(join(tmpdir(), 'mint-load-'))
  try {
    const script = join(folder, 'load.lua')
    writeFileSync(script, luaOf(load))
    const { stdout } = await run('wrk', [
      '-t1',
      '--timeout',
      '30s',
      `-c${connections}`,
      `-d${seconds}s`,
      '-s',
      script,
      load.url,
    ])
    const found = JSON.parse(stdout.slice(stdout.lastIndexOf('{')))
    refuseFailures(load, found.failed, found.requests)
    return {
      requestsPerSecond: found.requests / (found.microseconds / 1e6),
      p50Milliseconds: found.p50 / 1000,
      p99Milliseconds: found.p99 / 1000,
    }
  } finally {
    rmSync(folder, { recursive: true })
  }
}

/** A JSON string is also a Lua string, if it is ASCII without escaped slashes. */
function luaOf({ method, headers, body = '' }: Load): string {
  return `
    wrk.method = ${JSON.stringify(method)}
    wrk.body = ${JSON.stringify(body)}
    ${Object.entries(headers)
      .map(([name, value]) => `wrk.headers[${JSON.stringify(name)}] = ${JSON.stringify(value)}`)
      .join('\n')}
    function done(summary, latency)
      local errors = summary.errors
      io.write(string.format('\\n{"requests":%d,"microseconds":%d,"p50":%f,"p99":%f,"failed":%d}',
        summary.requests, summary.duration, latency:percentile(50), latency:percentile(99),
        errors.status + errors.connect + errors.read + errors.write + errors.timeout))
    end`
}

async function sendByAutocannon(load: Load, seconds: number, connections: number): Promise<LoadResult> {
  const headers = Object.entries(load.headers).flatMap(([name, value]) => ['-H', `${name}=${value}`])
  const body = load.body === undefined ? [] : ['-b', load.body]
  const { stdout } = await run(
    process.execPath,
    [
      ...['node_modules/autocannon/autocannon.js', '--json', '-c', `${connections}`, '-d', `${seconds}`],
      ...['-m', load.method, ...headers, ...body, load.url],
    ],
    { maxBuffer: 1 << 24 },
  )
  const found = JSON.parse(stdout)
  refuseFailures(load, found.non2xx + found.errors, found.requests.total)
  return {
    requestsPerSecond: found.requests.average,
    p50Milliseconds: found.latency.p50,
    p99Milliseconds: found.latency.p99,
  }
}

function refuseFailures({ method, url, mayFail = 0 }: Load, failed: number, requests: number): void {
  if (failed === 0) return
  const told = `${failed} of ${requests} requests failed: ${method} ${url}`
  if (failed > requests * mayFail) throw new Error(told)
  console.log(told)
}
