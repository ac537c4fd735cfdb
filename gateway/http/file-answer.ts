import { hash } from 'node:crypto'
import type { Answer } from '../routes/answer.ts'
import { parseTags } from './entity-tags.ts'

/** A text or file that is the same for everybody until Mint is updated, or 304 when the caller has it already. */
export function fileAnswer(content: string | Buffer, type: string, ifNoneMatch: string | undefined): Answer {
  const tag = hash('sha256', content).slice(0, 32)
  const headers = { ETag: `"${tag}"`, 'Cache-Control': 'no-cache' }
  if (ifNoneMatch !== undefined && names(ifNoneMatch, tag)) return { status: 304, body: '', headers }
  return { status: 200, body: content, headers: { ...headers, 'Content-Type': type } }
}

/** Weak comparison (RFC 9110, section 13.1.2); a malformed condition names nothing. */
function names(ifNoneMatch: string, tag: string): boolean {
  const condition = parseTags(ifNoneMatch)
  if (condition.type === 'any') return true
  return condition.type === 'tags' && condition.tags.some(({ value }) => value === tag)
}
