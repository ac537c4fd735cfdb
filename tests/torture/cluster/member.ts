import type { Host } from '../../support/hosts.ts'
import { type PartProcess, startPart } from '../../support/part-process.ts'
import { changeSetting, OTHER_VIEW } from './source-change.ts'

/** A process of Mint that is exposed to faults: once killed, it can be restarted in the same place. */
export interface Member {
  readonly name: string
  readonly host: Host
  /** `host:port` that it serves. */
  readonly address: string
  /** Starts it if it is not running. */
  start(): void
  ready(): Promise<unknown>
  kill(): Promise<void>
  /** Sends SIGTERM, as in an upgrade. */
  end(): Promise<void>
  freeze(): void
  resume(): void
  /** Shifts the clock of the running process. */
  shiftClock(milliseconds: number): void
  /** From the next start: uses another version's definition of the contracts view, or this version's again. */
  changeVersion(): void
  /** False if it exited by itself. */
  isRunning(): boolean
  /** The log of all its processes, restarts included. */
  log(): string
}

interface MemberOptions {
  readonly name: string
  readonly host: Host
  readonly port: number
  readonly file: string
  readonly environment: Readonly<Record<string, string>>
  readonly hook: string
}

/** Starts a process. */
export function member({ name, host, port, file, environment, hook }: MemberOptions): Member {
  let earlierLog = ''
  let isOther = false
  const startProcess = (): PartProcess =>
    startPart(file, { ...environment, ...(isOther && changeSetting([OTHER_VIEW])) }, { host, hook })
  let running: PartProcess | undefined = startProcess()
  const ended = (): void => {
    earlierLog += running?.log() ?? ''
    running = undefined
  }
  return {
    name,
    host,
    address: `${host.address}:${port}`,
    start() {
      running ??= startProcess()
    },
    ready: async () => await running?.ready(),
    async kill() {
      await running?.kill()
      ended()
    },
    async end() {
      await running?.end()
      ended()
    },
    freeze: () => running?.signal('SIGSTOP'),
    resume: () => running?.signal('SIGCONT'),
    shiftClock: (shiftMilliseconds) => running?.send({ shiftMilliseconds }),
    changeVersion() {
      isOther = !isOther
    },
    isRunning: () => running?.isRunning() ?? false,
    log: () => earlierLog + (running?.log() ?? ''),
  }
}
