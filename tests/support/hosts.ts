/** A host on the test's network: where a process runs, and the address at which others reach it. */
export interface Host {
  readonly address: string
  /** The command and arguments that start a program there. */
  command(program: string, args: readonly string[]): readonly [string, ...string[]]
}

/** This machine. */
export const loopback: Host = { address: '127.0.0.1', command: (program, args) => [program, ...args] }
