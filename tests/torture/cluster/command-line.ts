import { execFile } from 'node:child_process'
import { promisify } from 'node:util'
import { withoutSettings } from '../../support/mint-process.ts'

/** How a command of `cli/mint` ended. */
export interface CommandEnd {
  /** -1 if it was killed. */
  readonly exitCode: number
  readonly output: string
}

/** Runs `cli/mint` beside the other processes. */
export type CommandLine = (...words: readonly string[]) => Promise<CommandEnd>

/** In milliseconds: longer than any command takes without faults. */
const COMMAND_TIMEOUT = 60_000

export function commandLine(settings: Readonly<Record<string, string>>): CommandLine {
  const options = { env: { ...withoutSettings(), ...settings }, maxBuffer: 2 ** 26, timeout: COMMAND_TIMEOUT }
  return async (...words) => {
    try {
      const { stdout, stderr } = await promisify(execFile)('cli/mint', words, options)
      return { exitCode: 0, output: stdout + stderr }
    } catch (error) {
      const { code, stdout, stderr } = error as { code?: unknown; stdout?: string; stderr?: string }
      return { exitCode: typeof code === 'number' ? code : -1, output: `${stdout}${stderr}` }
    }
  }
}
