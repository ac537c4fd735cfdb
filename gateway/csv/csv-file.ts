import { stringify } from 'csv-stringify/sync'
import { z } from 'zod'
import type { OneAtATime } from '../http/one-at-a-time.ts'
import type { DocumentedAnswers } from '../openapi/documented.ts'
import type { ChunkedAnswer } from '../routes/answer.ts'

/** What a CSV file is made of. */
export interface CsvFile<Message> {
  readonly name: string
  /** What its columns are named and ordered by. */
  readonly record: z.ZodObject
  readonly toRecord: (message: Message) => object
  /** What records are made of, page by page. */
  readonly pages: AsyncGenerator<readonly Message[], void, undefined>
  /** Each page is made in its turn. */
  readonly turns: OneAtATime
}

/** Answers records as a file, a page at a time. */
export function csvFile<Message>(file: CsvFile<Message>): ChunkedAnswer {
  return {
    status: 200,
    chunks: chunks(file),
    turns: file.turns,
    headers: {
      'Content-Type': 'text/csv; charset=utf-8',
      'Content-Disposition': `attachment; filename="${file.name}"`,
    },
  }
}

async function* chunks<Message>({ record, toRecord, pages }: CsvFile<Message>): AsyncGenerator<string> {
  const columns = Object.keys(record.shape)
  const first = await pages.next()
  yield csvHeader(columns) + csvLines(columns, first.done ? [] : first.value.map(toRecord))
  for await (const page of pages) yield csvLines(columns, page.map(toRecord))
}

/** What every CSV file promises. */
export const CSV_DESCRIPTION = `Every match of the filters, or as many as \`limit\` says, newest first, as CSV by RFC 4180 in UTF-8 with a header line. The fields are named and formed as in the record, null as an empty field. A text with a comma, semicolon, tab, quote or line break is in quotes. One whose first character other than white space is =, +, - or @, also in full width, or an apostrophe has an apostrophe in front, so that no spreadsheet takes it for a formula: take one away on reading.

It is streamed, however long it is. A record that is there at the beginning, and matches all the while, is in it exactly once, as it stood when its part was read. When something fails on the way the connection is cut: a file that ends as HTTP says is whole. A cut one can be gone on with \`after\` its last whole line's id.`

/** As `csvFile` answers records of a shape. */
export function documentCsv(record: z.ZodObject): DocumentedAnswers {
  const columns = Object.keys(record.shape)
  const examples = (record.meta()?.examples ?? []) as object[]
  const file = csvHeader(columns) + csvLines(columns, examples)
  return {
    200: {
      description: 'The file.',
      headers: ['Content-Disposition'],
      schema: z.string().meta({ examples: [file] }),
      mediaType: 'text/csv',
    },
  }
}

/** Records as lines of CSV by RFC 4180; what a spreadsheet would take for a formula gets an apostrophe in front. */
function csvLines(columns: readonly string[], records: readonly object[]): string {
  return stringify([...records], { ...OPTIONS, columns: [...columns] })
}

/** The line with the names of the columns. */
function csvHeader(columns: readonly string[]): string {
  return csvLines(columns, [Object.fromEntries(columns.map((column) => [column, column]))])
}

/** What a spreadsheet could take for a formula, and what begins with the apostrophe that keeps it from that. */
const FORMULA = /^[\p{White_Space}\ufeff]*[=+\-@\uff1d\uff0b\uff0d\uff20']/u

const OPTIONS = {
  record_delimiter: 'windows',
  cast: { string: (text: string) => (FORMULA.test(text) ? `'${text}` : text) },
  // Whatever separator a spreadsheet goes by, and a line feed alone, which the package would leave unquoted.
  quoted_match: /[,;\t"\r\n]/,
} as const
