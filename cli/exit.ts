import { constants } from 'node:os'

/** Exit codes. Scripts rely on them: they are documented in docs/cli.md, and never renumbered. */
export const EXIT = {
  done: 0,
  failed: 1,
  usage: 2,
  /** `verify` found differences. */
  differs: 3,
} as const

export type ExitCode = (typeof EXIT)[keyof typeof EXIT]

/** A command can't do what it was asked to; the message says why and what to do. */
export class CommandFailure extends Error {
  readonly exitCode: ExitCode
  /** What `--json` adds to the message. */
  readonly details: object

  constructor(
    message: string,
    options: { readonly exitCode?: ExitCode; readonly details?: object; readonly cause?: unknown } = {},
  ) {
    super(message, { cause: options.cause })
    this.name = 'CommandFailure'
    this.exitCode = options.exitCode ?? EXIT.failed
    this.details = options.details ?? {}
  }
}

/** Until disposed of, runs `first` before a signal ends the process. */
export function onInterrupt(first: () => void): Disposable {
  const interrupt = (signal: NodeJS.Signals): void => {
    first()
    process.exit(128 + constants.signals[signal])
  }
  process.on('SIGINT', interrupt).on('SIGTERM', interrupt)
  return { [Symbol.dispose]: () => void process.off('SIGINT', interrupt).off('SIGTERM', interrupt) }
}
