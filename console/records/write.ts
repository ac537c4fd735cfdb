import type { Answer, Api } from '../api/client.ts'
import { overrideHeader } from '../closing/reason.ts'

/** A write of a record. */
export interface Write {
  readonly method: 'POST' | 'PATCH'
  readonly path: string
  readonly body: unknown
  /** The ETag of the version that it applies to. */
  readonly ifMatch?: string | undefined
  /** Why it is made in closed time; '' for none. */
  readonly overrideReason?: string
}

/** Sends writes. Sent again as it is, a write happens once, whatever became of the first attempt. */
export function createWriter(api: Api): (write: Write) => Promise<Answer> {
  let last: { readonly text: string; readonly key: string } | undefined
  return async ({ overrideReason = '', ...write }) => {
    // The reason is no part of it: with another one, it is still the same write.
    const text = JSON.stringify(write)
    if (last?.text !== text) last = { text, key: newKey() }
    const { method, path, body, ifMatch } = write
    const headers = {
      'Idempotency-Key': last.key,
      ...(ifMatch !== undefined && { 'If-Match': ifMatch }),
      ...overrideHeader(overrideReason),
    }
    const answer = await api.request(method, path, { body, headers })
    // Whoever makes the same write once more, means another one.
    last = undefined
    return answer
  }
}

/** A new Idempotency-Key. Unlike randomUUID, this is also there where the page came over plain HTTP. */
export function newKey(): string {
  return [...crypto.getRandomValues(new Uint8Array(16))].map((byte) => byte.toString(16).padStart(2, '0')).join('')
}
