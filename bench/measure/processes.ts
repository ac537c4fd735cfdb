import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { readFileSync } from 'node:fs'

/** A server in a separate process, started for the bench. */
export interface BenchServer {
  readonly url: string
  readonly pids: readonly number[]
  stop(): Promise<void>
}

/** Runs a server from one file, which prints `ready on <url>`. */
export async function startServer(
  file: string,
  environment: Readonly<Record<string, string>> = {},
): Promise<BenchServer> {
  const child = spawn(process.execPath, [file], {
    env: { ...process.env, ...environment },
    stdio: ['ignore', 'pipe', 'inherit'],
  })
  const ended = once(child, 'exit')
  const url = await new Promise<string>((resolve, reject) => {
    let output = ''
    child.stdout.on('data', (chunk) => {
      output += chunk
      const address = /ready on (\S+)\s/.exec(output)?.[1]
      if (address) resolve(address)
    })
    ended.then(([code]) => reject(new Error(`${file} ended with ${code}: ${output}`)), reject)
  })
  return {
    url,
    pids: [child.pid ?? 0],
    async stop() {
      child.kill('SIGTERM')
      await ended
    },
  }
}

/** Resident memory of a process, in megabytes (10^6 bytes). Linux only: NaN elsewhere. */
export function residentMegabytes(pid: number): number {
  return Number(/VmRSS:\s+(\d+) kB/.exec(readProc(pid, 'status'))?.[1]) * 1.024e-3
}

/** Processor time used by processes so far, in milliseconds, in steps of 10. Linux only: NaN elsewhere. */
export function processorMilliseconds(pids: readonly number[]): number {
  return pids.reduce((sum, pid) => {
    const [user, system] = readProc(pid, 'stat').split(') ')[1]?.split(' ').slice(11, 13) ?? []
    return sum + (Number(user) + Number(system)) * 10
  }, 0)
}

function readProc(pid: number, file: string): string {
  try {
    return readFileSync(`/proc/${pid}/${file}`, 'utf8')
  } catch {
    return ''
  }
}
