import { stringify } from 'csv-stringify/sync'
import { z } from 'zod'
import type { Pace } from '../../shared/budget/pace.ts'
import type { Amount } from '../../shared/fields/decimal.ts'
import type { DocumentedAnswers } from '../openapi/documented.ts'
import type { ChunkedAnswer, Piecewise } from '../routes/answer.ts'
import type { CsvColumns } from './columns.ts'

/** A CSV file to stream. */
export interface CsvFile<Message> {
  readonly name: string
  readonly columns: readonly string[]
  /** The rows of some messages, by column. */
  readonly rows: (messages: readonly Message[]) => Promise<readonly object[]>
  /** Whether the file starts with a byte order mark. */
  readonly bom: boolean
  /** The messages behind the records, page by page. */
  readonly readPage: Piecewise<readonly Message[]>
  /** Given if the lengths of pages depend on the sizes of earlier rows. */
  readonly pace?: Pace
}

/** Answers with records as a CSV file, streamed a page at a time. */
export function csvFile<Message>(file: CsvFile<Message>): ChunkedAnswer {
  return {
    status: 200,
    makeChunk: chunksOf(file),
    headers: {
      'Content-Type': 'text/csv; charset=utf-8',
      'Content-Disposition': `attachment; filename="${file.name}"`,
    },
  }
}

function chunksOf<Message>({ columns, rows, bom, readPage, pace }: CsvFile<Message>): Piecewise<string> {
  let start = (bom ? BYTE_ORDER_MARK : '') + csvHeader(columns)
  return async () => {
    const page = await readPage()
    if (page === undefined && start === '') return undefined
    const lines = page === undefined ? '' : csvLines(columns, await rows(page))
    if (page) pace?.learn(page.length, lines.length)
    const text = start + lines
    start = ''
    return text
  }
}

const BYTE_ORDER_MARK = '\ufeff'

/** What the OpenAPI document says about every CSV file. */
export const CSV_DESCRIPTION = `Every record that matches the filters, or as many as \`limit\` allows, newest first, as CSV (RFC 4180) in UTF-8 with a header line. Fields are named as in the record, and contracts also have the display name of their \`client\` (empty while it is unknown). Dates are YYYY-MM-DD and amounts exact decimals; null is an empty field. Text with a comma, semicolon, tab, quote or line break is quoted. Text whose first non-whitespace character is =, +, - or @ (also in full width) or an apostrophe gets an apostrophe in front, so that no spreadsheet takes it for a formula: remove one apostrophe when reading. Amounts are not text: a negative one has no apostrophe.

The file is streamed, whatever its length. A record that exists at the start and matches throughout is in it exactly once, as it was when its page was read. If anything fails midway, the connection is cut: a response that is complete by the rules of HTTP holds the whole file. To resume a cut file, pass the id in its last complete line as \`after\`. The file can be sent back with POST.`

/** Documents the answer of `csvFile`. */
export function documentCsv({ columns, example }: Pick<CsvColumns, 'columns' | 'example'>): DocumentedAnswers {
  const file = csvHeader(columns) + csvLines(columns, [example])
  return {
    200: {
      description: 'The file.',
      headers: ['Content-Disposition'],
      schema: z.string().meta({ examples: [file] }),
      mediaType: 'text/csv',
    },
  }
}

/** Formats records as CSV lines (RFC 4180), with an apostrophe before what a spreadsheet would take for a formula. */
export function csvLines(columns: readonly string[], records: readonly object[]): string {
  return stringify([...records], { ...OPTIONS, columns: [...columns] })
}

/** The header line. */
export function csvHeader(columns: readonly string[]): string {
  return csvLines(columns, [Object.fromEntries(columns.map((column) => [column, column]))])
}

/** What a spreadsheet could take for a formula, and what starts with an apostrophe, so that readers can remove one. */
const FORMULA = /^[\p{White_Space}\ufeff]*[=+\-@\uff1d\uff0b\uff0d\uff20']/u

const OPTIONS = {
  record_delimiter: 'windows',
  cast: {
    string: (text: string) => (FORMULA.test(text) ? `'${text}` : text),
    object: (cell: Record<string, unknown>) => (cell as unknown as Amount).amount,
  },
  // Any separator that a spreadsheet may use, and a lone line feed, which the package would leave unquoted.
  quoted_match: /[,;\t"\r\n]/,
} as const
