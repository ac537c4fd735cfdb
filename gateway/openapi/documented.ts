import type { z } from 'zod'
import { type AnswerHeader, FILE_HEADERS } from './headers.ts'

/** What the OpenAPI document says about an endpoint, beyond the schemas of its input. */
export interface Documented {
  /** The operation's name in generated clients, for example `getContract`. */
  readonly operationId: string
  /** A few words, without a full stop. */
  readonly summary: string
  /** What neither the summary nor the schemas can say, in Markdown. */
  readonly description?: string
  /** Its answers on success, by status. The possible problems are derived from its input. */
  readonly answers: DocumentedAnswers
}

export type DocumentedAnswers = Readonly<Record<number, DocumentedAnswer>>

/** One answer of an endpoint. */
export interface DocumentedAnswer {
  readonly description: string
  /** Headers that only some answers have; common ones are added. */
  readonly headers?: readonly AnswerHeader[]
  /** Absent: no body. */
  readonly schema?: z.ZodType
  /** Default: `application/json`. */
  readonly mediaType?: string
  /** Whether a problem may come with this status, too. */
  readonly isAlsoProblem?: boolean
}

/** Documents the answers of `found`: the record, or 304. */
export function documentFound(record: z.ZodType): DocumentedAnswers {
  return {
    200: { description: 'The record.', headers: ['ETag'], schema: record },
    304: { description: 'The record is still at the version that If-None-Match names.', headers: ['ETag'] },
  }
}

/** The order of every list except a history. */
export const NEWEST_FIRST =
  'Newest first: by createdAt, then by id, both descending. Filters combine with AND, and `total` counts every match.'

/** Documents the answer of `listed`. */
export function documentListed(page: z.ZodType): DocumentedAnswers {
  return { 200: { description: 'A page of the list.', headers: ['Link'], schema: page } }
}

/** Documents the answers of `fileAnswers`: the file, or 304. */
export function documentFile(
  file: DocumentedAnswer,
  headers: readonly AnswerHeader[] = FILE_HEADERS,
): DocumentedAnswers {
  return { 200: { headers, ...file }, 304: { description: 'If-None-Match names the current one.', headers } }
}
