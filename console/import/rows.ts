/** A row of a CSV file as it is in the file, without its line break. */
export interface RawRow {
  readonly text: string
  /** Where it begins, from 1. */
  readonly line: number
}

/** Something in a file that can't be read. */
export class CsvProblem extends Error {}

/** More than Mint takes in one row, and a bound on memory when a quote is never closed. */
const MOST_CHARACTERS = 1_000_000

/** The rows of a file, its header and empty ones included: line breaks in quotes end none. Throws CsvProblem. */
export async function* rowsOf(chunks: AsyncIterable<string>): AsyncGenerator<RawRow> {
  let [begun, line, isQuoted, lineFeeds] = ['', 1, false, 0]
  for await (const chunk of chunks) {
    let start = 0
    for (const { index, 0: mark } of chunk.matchAll(/["\n]/g)) {
      // A doubled quote leaves a quoted text and enters it again.
      if (mark === '"') isQuoted = !isQuoted
      else lineFeeds += 1
      if (mark === '"' || isQuoted) continue
      yield { text: withoutReturn(begun + chunk.slice(start, index)), line }
      line += lineFeeds
      ;[begun, start, lineFeeds] = ['', index + 1, 0]
    }
    begun += chunk.slice(start)
    if (begun.length > MOST_CHARACTERS) throw new CsvProblem(tooLong(line))
  }
  if (begun !== '') yield { text: withoutReturn(begun), line }
}

const withoutReturn = (text: string): string => (text.endsWith('\r') ? text.slice(0, -1) : text)

const tooLong = (line: number): string =>
  `Line ${line}: the row is too long, or a quote in it is never closed. Correct the file, then choose it again.`
