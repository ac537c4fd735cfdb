/** A host of the test's network: where a process runs and by which address others reach it. */
export interface Host {
  readonly address: string
  /** How to start a program there: the command with its arguments. */
  command(program: string, args: readonly string[]): readonly [string, ...string[]]
}

/** This machine. */
export const loopback: Host = { address: '127.0.0.1', command: (program, args) => [program, ...args] }
