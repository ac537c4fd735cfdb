import { isUtf8 } from 'node:buffer'
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
const CARRIAGE_RETURN = 0x0d
const QUOTE = 0x22

/**
 * The rows of a file, its header and empty ones included. Memory doesn't grow with the file. Throws CommandFailure, also
 * where it isn't UTF-8, or a line ends in CR alone: that would join it to the next one, whose cells would be lost.
 */
export async function* rowsOf(file: CsvFile): AsyncGenerator<RawRow> {
  let begun: Buffer[] = []
  let [begunBytes, line, lineFeeds, isQuoted] = [0, 1, 0, false]
  // Outside of quotes.
  let [isAfterReturn, hasLoneReturn] = [false, false]
  for await (const chunk of file.chunks()) {
    let start = 0
    for (const [at, byte] of chunk.entries()) {
      hasLoneReturn ||= isAfterReturn && byte !== LINE_FEED
      isAfterReturn = byte === CARRIAGE_RETURN && !isQuoted
      // A doubled quote leaves a quoted text and enters it again.
      if (byte === QUOTE) isQuoted = !isQuoted
      if (byte !== LINE_FEED) continue
      lineFeeds += 1
      if (isQuoted) continue
      yield checked(Buffer.concat([...begun, chunk.subarray(start, at + 1)]), line, hasLoneReturn)
      line += lineFeeds
      start = at + 1
      begun = []
      begunBytes = lineFeeds = 0
    }
    begun.push(chunk.subarray(start))
    begunBytes += chunk.length - start
    if (begunBytes > MAX_ROW_BYTES) throw new CommandFailure(`line ${line}: ${hasLoneReturn ? LONE_RETURN : TOO_LONG}`)
  }
  if (begunBytes > 0) yield checked(Buffer.concat(begun), line, hasLoneReturn || isAfterReturn)
}

function checked(bytes: Buffer, line: number, hasLoneReturn: boolean): RawRow {
  // First: UTF-16 has a byte between CR and LF.
  if (!isUtf8(bytes)) throw new CommandFailure(`line ${line}: Not UTF-8. Save the file as CSV in UTF-8.`)
  if (hasLoneReturn) throw new CommandFailure(`line ${line}: ${LONE_RETURN}`)
  return { bytes, line }
}

const TOO_LONG = 'The row has more than 1,000,000 bytes, or a quote in it is never closed. Correct the file.'
const LONE_RETURN =
  'Has a CR without LF, as in “CSV (Macintosh)”. Lines must end in LF or CRLF: save the file that way, for example as “CSV UTF-8”.'

/** Whether a row is an empty line, which Mint skips. */
export const isEmpty = ({ bytes }: RawRow): boolean => bytes.length <= 2 && bytes.toString().trim() === ''
