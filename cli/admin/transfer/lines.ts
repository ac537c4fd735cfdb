import { constants, createReadStream, fstatSync } from 'node:fs'
import { access, stat } from 'node:fs/promises'
import { CommandFailure } from '../../exit.ts'

const LINE_FEED = 0x0a
const CARRIAGE_RETURN = 0x0d

/** Where an export is read from. */
interface ExportSource {
  /** Whether `lines` can be read again from the beginning. What comes through a pipe is there once. */
  readonly isRepeatable: boolean
  lines(): AsyncIterable<string>
}

/** A file, or for `-` standard input; either may be a pipe (`<(…)`) or a file (`<`). Throws CommandFailure. */
export async function openExportSource(file: string): Promise<ExportSource> {
  if (file === '-') {
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

/**
 * The lines of a file in UTF-8, without their ends. Only a line feed ends a line (with a carriage return before it, where
 * an editor has put one): node:readline also splits at U+2028 and U+2029, which JSON leaves as they are in a text.
 */
export async function* linesOf(chunks: AsyncIterable<Uint8Array>): AsyncGenerator<string> {
  // What came since the last line feed.
  let begun: Uint8Array[] = []
  for await (const chunk of chunks) {
    let start = 0
    for (let end = chunk.indexOf(LINE_FEED); end >= 0; end = chunk.indexOf(LINE_FEED, start)) {
      yield toText([...begun, chunk.subarray(start, end)])
      begun = []
      start = end + 1
    }
    if (start < chunk.length) begun.push(chunk.subarray(start))
  }
  if (begun.length > 0) yield toText(begun)
}

function toText(parts: readonly Uint8Array[]): string {
  const bytes = Buffer.concat(parts)
  return bytes.toString('utf8', 0, bytes.at(-1) === CARRIAGE_RETURN ? bytes.length - 1 : bytes.length)
}
