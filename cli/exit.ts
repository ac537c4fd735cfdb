import { constants } from 'node:os'

/** How a command ends. They are promised to scripts: documented in docs/cli.md, and never renumbered. */
export const EXIT = {
  done: 0,
  failed: 1,
  usage: 2,
  /** `verify` found that something differs. */
  differs: 3,
} as const

export type ExitCode = (typeof EXIT)[keyof typeof EXIT]

/** A command can't do what it was asked to; the message says why and what to do. */
export class CommandFailure extends Error {
  readonly exitCode: ExitCode

  constructor(message: string, options: { readonly exitCode?: ExitCode; readonly cause?: unknown } = {}) {
    super(message, { cause: options.cause })
    this.name = 'CommandFailure'
    this.exitCode = options.exitCode ?? EXIT.failed
  }
}

/** Does something first where a signal ends the process, until it is disposed of. */
export function onInterrupt(first: () => void): Disposable {
  const interrupt = (signal: NodeJS.Signals): void => {
    first()
    process.exit(128 + constants.signals[signal])
  }
  process.on('SIGINT', interrupt).on('SIGTERM', interrupt)
  return { [Symbol.dispose]: () => void process.off('SIGINT', interrupt).off('SIGTERM', interrupt) }
}
