import type { IncomingMessage } from 'node:http'
import { MIMEType } from 'node:util'
import { ProblemError } from '../problem.ts'

/** Throws unsupported_media_type unless the body is one of `accepted`, in UTF-8 and not compressed. */
export function checkMediaType(req: IncomingMessage, accepted: readonly string[]): void {
  const encoding = req.headers['content-encoding']
  if (encoding !== undefined && encoding.trim().toLowerCase() !== 'identity') {
    throw new ProblemError('unsupported_media_type', { headers: { 'Accept-Encoding': 'identity' } })
  }
  const type = req.headers['content-type']
  if (type === undefined || !isAccepted(type, accepted)) {
    const header = req.method === 'PATCH' ? 'Accept-Patch' : 'Accept-Post'
    const detail = `The body must be ${accepted.join(' or ')} in UTF-8, not compressed.`
    throw new ProblemError('unsupported_media_type', { detail, headers: { [header]: accepted.join(', ') } })
  }
}

function isAccepted(type: string, accepted: readonly string[]): boolean {
  if (accepted.includes(type)) return true
  if (type.length > MAX_LENGTH) return false
  try {
    const { essence, params } = new MIMEType(type)
    return accepted.includes(essence) && (params.get('charset') ?? 'utf-8').toLowerCase() === 'utf-8'
  } catch {
    return false
  }
}

/**
 * Node's parser takes quadratic time for some texts: a header of full size would block the process for half a second.
 */
const MAX_LENGTH = 256
