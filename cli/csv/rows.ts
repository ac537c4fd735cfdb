import { CommandFailure } from '../exit.ts'
import type { CsvFile } from './csv-file.ts'

/** A row of a CSV file as it is, with its line break. */
export interface RawRow {
  readonly bytes: Buffer
  /** Where it begins, from 1. */
  readonly line: number
}

/** More than Mint takes in one row, and a bound on memory when a quote is never closed. */
const MAX_ROW_BYTES = 1_000_000

const LINE_FEED = 0x0a
const QUOTE = 0x22

/** The rows of a file, its header and empty ones included. Memory doesn't grow with the file. Throws CommandFailure. */
export async function* rowsOf(file: CsvFile): AsyncGenerator<RawRow> {
  let begun: Buffer[] = []
  let [begunBytes, line, lineFeeds, isQuoted] = [0, 1, 0, false]
  for await (const chunk of file.chunks()) {
    let start = 0
    for (const [at, byte] of chunk.entries()) {
      // A doubled quote leaves a quoted text and enters it again.
      if (byte === QUOTE) isQuoted = !isQuoted
      if (byte !== LINE_FEED) continue
      lineFeeds += 1
      if (isQuoted) continue
      yield { bytes: Buffer.concat([...begun, chunk.subarray(start, at + 1)]), line }
      line += lineFeeds
      start = at + 1
      begun = []
      begunBytes = lineFeeds = 0
    }
    begun.push(chunk.subarray(start))
    begunBytes += chunk.length - start
    if (begunBytes > MAX_ROW_BYTES) throw new CommandFailure(tooLong(line))
  }
  if (begunBytes > 0) yield { bytes: Buffer.concat(begun), line }
}

const tooLong = (line: number): string =>
  `line ${line}: The row has more than 1,000,000 bytes, or a quote in it is never closed. Correct the file.`

/** Whether a row is an empty line, which Mint skips. */
export const isEmpty = ({ bytes }: RawRow): boolean => bytes.length <= 2 && bytes.toString().trim() === ''
