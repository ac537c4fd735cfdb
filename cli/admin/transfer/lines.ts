import { constants, createReadStream, fstatSync } from 'node:fs'
import { access, stat } from 'node:fs/promises'
import { CommandFailure } from '../../exit.ts'

const LINE_FEED = 0x0a
const CARRIAGE_RETURN = 0x0d
/** More than the longest one, a message that was set aside, takes with every character escaped. */
const MAX_LINE_BYTES = 256_000_000

/** The source of an export. */
interface ExportSource {
  /** Whether `lines` can be read again from the beginning. A pipe can be read only once. */
  readonly isRepeatable: boolean
  lines(): AsyncIterable<string>
}

/** Opens a file, or standard input for `-`; either may be a pipe (`<(…)`) or a file (`<`). Throws CommandFailure. */
export async function openExportSource(file: string): Promise<ExportSource> {
  if (file === '-') {
    const { fd } = process.stdin
    if (!fstatSync(fd).isFile()) return { isRepeatable: false, lines: () => linesOf(process.stdin) }
    return { isRepeatable: true, lines: () => linesOf(createReadStream('', { fd, start: 0, autoClose: false })) }
  }
  try {
    await access(file, constants.R_OK)
    const found = await stat(file)
    if (found.isDirectory()) throw new Error('it is a folder')
    return { isRepeatable: found.isFile(), lines: () => linesOf(createReadStream(file)) }
  } catch (cause) {
    throw new CommandFailure(`${file} can’t be read: name the file that \`cli/mint export\` wrote.`, { cause })
  }
}

/**
 * The lines of a UTF-8 file, without their line ends. Only a line feed ends a line (with a carriage return before it,
 * if an editor has added one): node:readline also splits at U+2028 and U+2029, which JSON does not escape in strings.
 * Throws CommandFailure at a line that is longer than any that Mint writes, before it fills the memory.
 */
export async function* linesOf(chunks: AsyncIterable<Uint8Array>): AsyncGenerator<string> {
  // What has arrived since the last line feed.
  let begun: Uint8Array[] = []
  let bytes = 0
  for await (const chunk of chunks) {
    let start = 0
    for (let end = chunk.indexOf(LINE_FEED); end >= 0; end = chunk.indexOf(LINE_FEED, start)) {
      yield toText([...begun, chunk.subarray(start, end)])
      begun = []
      bytes = 0
      start = end + 1
    }
    if (start < chunk.length) begun.push(chunk.subarray(start))
    bytes += chunk.length - start
    if (bytes > MAX_LINE_BYTES)
      throw new CommandFailure('This is not a Mint export: it has a line of more than 256 MB.')
  }
  if (begun.length > 0) yield toText(begun)
}

function toText(parts: readonly Uint8Array[]): string {
  const bytes = Buffer.concat(parts)
  return bytes.toString('utf8', 0, bytes.at(-1) === CARRIAGE_RETURN ? bytes.length - 1 : bytes.length)
}
