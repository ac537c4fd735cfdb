/** A row of a CSV file as it is in the file, without its line break. */
export interface RawRow {
  readonly text: string
  /** How many bytes it has in the file, with its line break. */
  readonly bytes: number
  /** Where it begins, from 1. */
  readonly line: number
}

/** Something in a file that can't be read. */
export class CsvProblem extends Error {
  readonly code: keyof typeof PROBLEMS
  /** Where the row begins, from 1; undefined: it is the whole file. */
  readonly line: number | undefined

  constructor(code: keyof typeof PROBLEMS, line?: number, cause?: unknown) {
    super(PROBLEMS[code], { cause })
    this.code = code
    this.line = line
  }
}

/** More than Mint accepts in one row, and a bound on memory when a quote is never closed. */
const MAX_BYTES = 1_000_000

const LINE_FEED = 0x0a
const QUOTE = 0x22

/**
 * The rows of a file, including its header and empty ones; a line break in quotes doesn't end a row. Memory doesn't grow
 * with the file. Throws CsvProblem, also if it isn't UTF-8, or a line ends in CR alone: that would join it to the next
 * one, whose cells would be lost.
 */
export async function* rowsOf(chunks: AsyncIterable<Uint8Array>): AsyncGenerator<RawRow> {
  const decoder = new TextDecoder('utf-8', { fatal: true, ignoreBOM: true })
  let [text, bytes, line, lineFeeds, isQuoted] = ['', 0, 1, 0, false]

  function add(part: Uint8Array, isEnd: boolean): void {
    try {
      text += decoder.decode(part, { stream: !isEnd })
    } catch (cause) {
      throw new CsvProblem('not_utf8', line, cause)
    }
    bytes += part.length
    const isTooLong = bytes > MAX_BYTES
    // A line feed may follow what was read so far.
    const known = isEnd ? text : text.replace(/\r$/, '')
    if ((isEnd || isTooLong) && hasLoneReturn(known)) throw new CsvProblem('lone_return', line)
    if (isTooLong) throw new CsvProblem('row_too_long', line)
  }

  function ended(): RawRow {
    const row = { text: text.replace(line === 1 ? /^\ufeff|\r?\n?$/g : /\r?\n?$/, ''), bytes, line }
    ;[text, bytes, line, lineFeeds] = ['', 0, line + lineFeeds, 0]
    return row
  }

  for await (const chunk of chunks) {
    let start = 0
    for (let at = 0; at < chunk.length; at++) {
      const byte = chunk[at]
      // A doubled quote ends a quoted text and starts it again.
      if (byte === QUOTE) isQuoted = !isQuoted
      if (byte !== LINE_FEED) continue
      lineFeeds += 1
      if (isQuoted) continue
      add(chunk.subarray(start, at + 1), true)
      yield ended()
      start = at + 1
    }
    add(chunk.subarray(start), false)
  }
  add(new Uint8Array(), true)
  if (bytes > 0) yield ended()
}

/** Whether a row has a CR without LF outside quotes, the last of which may be unclosed. */
const hasLoneReturn = (row: string): boolean =>
  LONE_RETURN.test(row) && LONE_RETURN.test(row.replace(/"[^"]*("|$)/g, '"'))
const LONE_RETURN = /\r(?!\n)/

/** What can be wrong with a file, in English: other languages have texts by code. */
const PROBLEMS = {
  file_empty: 'The file is empty. Its first line must name the columns.',
  file_header: 'The names of the columns can’t be read: a quote is misplaced.',
  file_unreadable: 'The file can’t be read: it was changed, moved or deleted. Choose it again.',
  sheet_too_large: 'The file has more than 10 megabytes. Save it as “CSV UTF-8” in Excel, and choose that file.',
  sheet_unreadable:
    'The file can’t be read: it is not an Excel workbook (.xlsx), or it is protected by a password. Save it as .xlsx or “CSV UTF-8”, and choose that file.',
  not_utf8: 'Not UTF-8. Save the file as CSV in UTF-8.',
  row_too_long: 'The row has more than 1,000,000 bytes, or a quote in it is never closed. Correct the file.',
  lone_return:
    'Has a CR without LF, as in “CSV (Macintosh)”. Lines must end in LF or CRLF: save the file that way, for example as “CSV UTF-8”.',
} as const
