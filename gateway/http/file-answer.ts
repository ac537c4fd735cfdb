import { hash } from 'node:crypto'
import { type PlacedViolation, ProblemError } from '../problem.ts'
import type { Answer } from '../routes/answer.ts'
import { tagCondition } from './condition-headers.ts'
import { namesTag } from './entity-tags.ts'

/**
 * A text or file that is the same for everybody until Mint is updated, or 304 when the caller has it already. Throws
 * validation_failed when If-None-Match is malformed.
 */
export function fileAnswer(content: string | Buffer, type: string, ifNoneMatch: string | undefined): Answer {
  const errors: PlacedViolation[] = []
  const condition = tagCondition('If-None-Match', ifNoneMatch, errors)
  if (errors.length > 0) throw new ProblemError('validation_failed', { errors })
  const tag = hash('sha256', content).slice(0, 32)
  const headers = { ETag: `"${tag}"`, 'Cache-Control': 'no-cache' }
  if (condition && namesTag(condition, tag)) return { status: 304, body: '', headers }
  return { status: 200, body: content, headers: { ...headers, 'Content-Type': type } }
}
