import { hash } from 'node:crypto'
import { ONCE, sharingRuns } from '../../shared/async/shared-runs.ts'
import { type LocatedViolation, ProblemError } from '../problem.ts'
import type { Answer } from '../routes/answer.ts'
import { namesTag, tagCondition } from './entity-tags.ts'

/** A file that is the same for everyone until Mint is upgraded. */
export interface FixedFile {
  readonly content: Buffer
  readonly type: string
  readonly headers?: Readonly<Record<string, string>>
}

/**
 * Answers with a file from memory, or 304. The file is read and hashed on the first request. Throws validation_failed
 * if If-None-Match is malformed.
 */
export function fileAnswers(read: () => Promise<FixedFile>): (ifNoneMatch: string | undefined) => Promise<Answer> {
  const file = sharingRuns(async () => {
    const file = await read()
    return { ...file, tag: hash('sha256', file.content).slice(0, 32) }
  }, ONCE)
  return async (ifNoneMatch) => {
    const { content, type, tag, headers: more } = await file.join()
    const errors: LocatedViolation[] = []
    const condition = tagCondition('If-None-Match', ifNoneMatch, errors)
    if (errors.length > 0) throw new ProblemError('validation_failed', { errors })
    const headers = { ETag: `"${tag}"`, 'Cache-Control': 'no-cache', ...more }
    if (condition && namesTag(condition, tag)) return { status: 304, body: '', headers }
    return { status: 200, body: content, headers: { ...headers, 'Content-Type': type } }
  }
}
