import { isUtf8 } from 'node:buffer'
import { finished } from 'node:stream/promises'
import { setImmediate as nextTurn } from 'node:timers/promises'
import { type CsvError, parse } from 'csv-parse'
import { grouped, type ViolationCode } from '../../../shared/fields/rule.ts'
import { MAX_BODY_BYTES } from '../../http/body.ts'

/** A record of a CSV file, its header included. */
export interface CsvRecord {
  /** Where it begins, from 1. */
  readonly line: number
  readonly cells: readonly string[]
}

/** The file can't be read from this line on. */
export class UnreadableCsv extends Error {
  readonly line: number
  readonly code: ViolationCode

  constructor(line: number, code: ViolationCode, message: string) {
    super(message)
    this.line = line
    this.code = code
  }
}

/** The file is parsed in slices, so that it doesn't block other requests. */
const SLICE_BYTES = 32_768

/**
 * The records of a CSV file (RFC 4180, also with semicolons and LF), in the batches that they are parsed in; empty lines
 * are skipped. Throws UnreadableCsv after the records that come before.
 */
export async function* parseCsv(file: Uint8Array): AsyncGenerator<readonly CsvRecord[], void, undefined> {
  checkEncoding(file)
  checkLineEnds(file)
  let records: CsvRecord[] = []
  let next = { byte: 0, line: 1 }
  const parser = parse({
    bom: true,
    delimiter: delimiterOf(file),
    record_delimiter: ['\n', '\r\n'],
    // A record is no longer than a JSON body may be.
    max_record_size: MAX_BODY_BYTES,
    on_record(cells: readonly string[], { bytes: byte }) {
      // Each record is the first: it takes 40 µs to make an error of one that has fewer or more cells.
      ;(parser.info as { records: number }).records = 0
      const isBlank = cells.length === 1 && cells[0] === ''
      // A quoted empty cell is a row.
      const isEmpty = isBlank && !file.subarray(next.byte, byte).includes(QUOTE)
      if (!isEmpty) records.push({ line: next.line, cells })
      // The parser's own count takes a CRLF within quotes for two lines.
      next = { byte, line: next.line + lineFeedsIn(file.subarray(next.byte, byte)) }
      // Nothing reads the parser's own output.
      return null
    },
  })
  let failure: unknown
  parser.on('error', (error) => (failure = error)).resume()
  for (let start = 0; start < file.length && failure === undefined; start += SLICE_BYTES) {
    const slice = file.subarray(start, start + SLICE_BYTES)
    parser.write(slice)
    await nextTurn()
    // The parser's own limit counts no delimiters, so a record of nothing else would fill the memory.
    if (start + slice.length - next.byte > MAX_BODY_BYTES) failure ??= { code: TOO_LONG }
    yield records
    records = []
  }
  if (failure === undefined) {
    parser.end()
    await finished(parser).catch((error) => (failure = error))
    yield records
  }
  if (failure !== undefined) throw unreadable(next.line, failure as CsvError)
}

/** Bisects for the first line that is not UTF-8: checking each would block other requests for seconds. */
function checkEncoding(file: Uint8Array): void {
  if (isUtf8(file)) return
  let [start, end] = [0, file.length]
  while (start < end) {
    const middle = Math.floor((start + end) / 2)
    const next = file.indexOf(LINE_FEED, middle) + 1
    if (next > 0 && isUtf8(file.subarray(start, next))) start = next
    else end = middle
  }
  const line = 1 + lineFeedsIn(file.subarray(0, start))
  throw new UnreadableCsv(line, 'invalid_encoding', 'Not UTF-8. Save the file as CSV in UTF-8.')
}

/** Without line feeds, the whole file would be its header. */
function checkLineEnds(file: Uint8Array): void {
  const [first, lineFeed] = [file.indexOf(CARRIAGE_RETURN), file.indexOf(LINE_FEED)]
  const isInHeader = first >= 0 && (lineFeed < 0 || first < lineFeed)
  if (isInHeader && first + 1 !== lineFeed) throw new UnreadableCsv(1, 'malformed_csv', LONE_RETURN)
}

const LONE_RETURN =
  'The first line has a carriage return (CR) without a line feed (LF). Save the file with lines that end in LF or CRLF.'

const CARRIAGE_RETURN = 0x0d
const QUOTE = 0x22
const LINE_FEED = 0x0a

/** With an index: `indexOf` and iterators take twenty times as long if there are many. */
function lineFeedsIn(bytes: Uint8Array): number {
  let count = 0
  for (let n = 0; n < bytes.length; n++) if (bytes[n] === LINE_FEED) count += 1
  return count
}

const HEADER_BYTES = 4_096

/** A semicolon if the header has one before any comma: no field has either in its name. */
function delimiterOf(file: Uint8Array): ',' | ';' {
  const start = Buffer.from(file.buffer, file.byteOffset, Math.min(file.length, HEADER_BYTES)).toString('latin1')
  // The header may follow a byte order mark and empty lines.
  return /[,;\n]/.exec(start.replace(/^(\xef\xbb\xbf)?[\r\n]+/, ''))?.[0] === ';' ? ';' : ','
}

const TOO_LONG = 'CSV_MAX_RECORD_SIZE'

function unreadable(line: number, { code }: CsvError): UnreadableCsv {
  if (code === TOO_LONG) {
    const message = `The row has more than ${grouped(MAX_BODY_BYTES)} bytes, or a quote in it is never closed; the rest of the file was not checked. Shorten the row, or close the quote.`
    return new UnreadableCsv(line, 'too_long', message)
  }
  const message =
    'A quote is misplaced, or is never closed; the rest of the file can’t be read. Put a text with a quote in quotes, and double each quote in it.'
  return new UnreadableCsv(line, 'malformed_csv', message)
}
