import type { Host } from '../../support/hosts.ts'
import { type PartProcess, startPart } from '../../support/part-process.ts'
import { changeSetting, OTHER_VIEW } from './source-change.ts'

interface MemberOptions {
  readonly name: string
  readonly host: Host
  readonly port: number
  readonly file: string
  readonly environment: Readonly<Record<string, string>>
  readonly hook: string
}

/** Starts a process. */
export function member({ name, host, port, file, environment, hook }: MemberOptions) {
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
    /** `host:port` that it serves. */
    address: `${host.address}:${port}`,
    /** Starts it if it is not running. */
    start() {
      running ??= startProcess()
    },
    ready: async () => await running?.ready(),
    async kill() {
      await running?.kill()
      ended()
    },
    /** Sends SIGTERM, as in an upgrade. */
    async end() {
      await running?.end()
      ended()
    },
    freeze: () => running?.signal('SIGSTOP'),
    resume: () => running?.signal('SIGCONT'),
    /** Shifts the clock of the running process. */
    shiftClock: (shiftMilliseconds: number) => running?.send({ shiftMilliseconds }),
    /** From the next start: uses another version's definition of the contracts view, or this version's again. */
    changeVersion() {
      isOther = !isOther
    },
    /** False if it exited by itself. */
    isRunning: () => running?.isRunning() ?? false,
    /** The log of all its processes, restarts included. */
    log: () => earlierLog + (running?.log() ?? ''),
  }
}

/** A process of Mint that is exposed to faults: once killed, it can be restarted in the same place. */
export type Member = ReturnType<typeof member>
