import { constants, createReadStream, fstatSync } from 'node:fs'
import { access, stat } from 'node:fs/promises'
import { CommandFailure } from '../../exit.ts'
import { linesOf } from './lines.ts'

/** Names standard input in place of a file. */
const STDIN = '-'

/** Where an export is read from. */
export interface ExportSource {
  /** Whether `lines` can be read again from the beginning. What comes through a pipe is there once. */
  readonly isRepeatable: boolean
  lines(): AsyncIterable<string>
}

/**
 * A file, or standard input, which is a file too where the shell's `<` opened it; a file may be a pipe too, as the shell's
 * `<(…)` is. Throws CommandFailure.
 */
export async function openExportSource(file: string): Promise<ExportSource> {
  if (file === STDIN) {
    const { fd } = process.stdin
    if (!fstatSync(fd).isFile()) return { isRepeatable: false, lines: () => linesOf(process.stdin) }
    return { isRepeatable: true, lines: () => linesOf(createReadStream('', { fd, start: 0, autoClose: false })) }
  }
  try {
    await access(file, constants.R_OK)
    return { isRepeatable: (await stat(file)).isFile(), lines: () => linesOf(createReadStream(file)) }
  } catch (cause) {
    throw new CommandFailure(`${file} can’t be read: give the file that \`cli/mint export\` wrote.`, { cause })
  }
}
