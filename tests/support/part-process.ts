import { type ChildProcess, spawn } from 'node:child_process'
import { once } from 'node:events'
import { bareEnvironment } from './bare-environment.ts'
import { type Host, loopback } from './hosts.ts'
import { waitFor } from './wait-for.ts'

export interface PartOptions {
  readonly host?: Host
  /** A module that the process loads before its own, which gives a test access to it. */
  readonly hook?: string
  /** The root of the tree, if not this one. */
  readonly folder?: string
}

/** Starts a main file with exactly this environment. */
export function startPart(
  file: string,
  environment: Readonly<Record<string, string>>,
  { host = loopback, hook, folder }: PartOptions = {},
) {
  const [program, ...args] = host.command(process.execPath, [...(hook ? ['--import', hook] : []), file])
  const child: ChildProcess = spawn(program, args, {
    ...(folder !== undefined && { cwd: folder }),
    env: { ...bareEnvironment(), ...environment },
    stdio: ['ignore', 'inherit', 'pipe', ...(hook ? (['ipc'] as const) : [])],
  })
  let log = ''
  child.stderr?.on('data', (chunk) => {
    log += chunk
  })
  const gone = once(child, 'close')
  const hasEnded = (): boolean => child.exitCode !== null || child.signalCode !== null
  return {
    pid: child.pid ?? 0,
    /** What it wrote to its log. */
    log: () => log,
    /** Resolves when it has exited. */
    gone,
    /** Whether it is still running. */
    isRunning: () => !hasEnded(),
    signal: (signal: 'SIGSTOP' | 'SIGCONT' | 'SIGUSR2') => child.kill(signal),
    /** Sends a message to its `hook` module. */
    send: (message: object) => child.connected && child.send(message, () => {}),
    /** Resolves to `host:port` once it logs that it is ready, or, for a gateway, that it listens. */
    async ready() {
      const said = () => /"address":"([^"]+)","msg":"(?:ready|listening)"/.exec(log)
      const what = `${file} to be ready`
      await waitFor(() => said() || hasEnded(), { timeout: 120_000, what }).catch((error) => {
        throw new Error(`${error.message}; it logged: ${log}`)
      })
      const address = said()?.[1]
      if (address !== undefined) return address
      await gone
      throw new Error(`${file} ended before it was ready; it logged: ${log}`)
    },
    async kill() {
      child.kill('SIGKILL')
      await gone
    },
    /** Sends SIGTERM; resolves to the exit code. */
    async end() {
      child.kill('SIGTERM')
      const [exitCode] = await gone
      return exitCode
    },
  }
}

/** One part of Mint in a separate process. */
export type PartProcess = ReturnType<typeof startPart>
