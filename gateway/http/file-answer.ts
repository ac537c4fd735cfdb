import { hash } from 'node:crypto'
import { promisify } from 'node:util'
import { gzip } from 'node:zlib'
import { ONCE, sharingRuns } from '../../shared/async/shared-runs.ts'
import { type LocatedViolation, ProblemError } from '../problem.ts'
import type { Answer } from '../routes/answer.ts'
import { namesTag, tagCondition } from './entity-tags.ts'

/** A file that is the same for everyone until Mint is upgraded. */
export interface FixedFile {
  readonly content: Buffer
  readonly type: string
  /** Cache-Control defaults to `no-cache`. */
  readonly headers?: Readonly<Record<string, string>>
}

/** What decides how a request for a file is answered. */
export interface FileRequest {
  /** As the caller sent it. */
  readonly path: string
  readonly ifNoneMatch: string | undefined
  readonly acceptsGzip: boolean
}

/**
 * Answers with a file from memory, compressed for those who accept that, or with 304. The file is read, hashed and
 * compressed on the first request. Throws validation_failed if If-None-Match is malformed.
 */
export function fileAnswers(read: () => Promise<FixedFile>): (request: FileRequest) => Promise<Answer> {
  const file = sharingRuns(async () => {
    const file = await read()
    return { ...file, tag: hash('sha256', file.content).slice(0, 32), gzipped: await compressed(file) }
  }, ONCE)
  return async ({ ifNoneMatch, acceptsGzip }) => {
    const { content, gzipped, type, tag: ofContent, headers: more } = await file.join()
    const errors: LocatedViolation[] = []
    const condition = tagCondition('If-None-Match', ifNoneMatch, errors)
    if (errors.length > 0) throw new ProblemError('validation_failed', { errors })
    const isGzip = acceptsGzip && gzipped !== undefined
    const tag = isGzip ? `${ofContent}-gzip` : ofContent
    const headers = { ETag: `"${tag}"`, 'Cache-Control': 'no-cache', Vary: 'Accept-Encoding', ...more }
    if (condition && namesTag(condition, tag)) return { status: 304, body: '', headers }
    const body = isGzip ? gzipped : content
    return {
      status: 200,
      body,
      headers: { ...headers, ...(isGzip && { 'Content-Encoding': 'gzip' }), 'Content-Type': type },
    }
  }
}

/** undefined: compression doesn't make it smaller. */
async function compressed({ content }: FixedFile): Promise<Buffer | undefined> {
  const gzipped = await promisify(gzip)(content)
  return gzipped.length < content.length ? gzipped : undefined
}

/** What a page may load: files of this Mint alone, nothing inline; images may also be in a style sheet, as data URLs. */
const POLICY = {
  'default-src': "'none'",
  'script-src': "'self'",
  'style-src': "'self'",
  'img-src': "'self' data:",
  'connect-src': "'self'",
  'base-uri': "'none'",
  'form-action': "'none'",
  'frame-ancestors': "'none'",
} as const

/** A Content-Security-Policy directive's value, by its name. */
type Directives = Readonly<Record<string, string>>

/** The headers of a page and its files; `more` replaces directives or adds some. */
export function pageHeaders(more: Directives = {}): Readonly<Record<string, string>> {
  const directives = Object.entries({ ...POLICY, ...more })
  return {
    'Content-Security-Policy': directives.map(([name, value]) => `${name} ${value}`).join('; '),
    'X-Content-Type-Options': 'nosniff',
    'Referrer-Policy': 'no-referrer',
  }
}
