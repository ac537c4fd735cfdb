import { CommandFailure } from '../../exit.ts'

const LINE_FEED = 0x0a
const CARRIAGE_RETURN = 0x0d
/** More than the longest one, a message that was set aside, takes with every character escaped. */
const MAX_LINE_BYTES = 256_000_000

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
