import type { Answer, Api } from '../api/client.ts'
import { overrideHeader } from '../closing/reason.ts'

/** A write of a record. */
export interface Write {
  readonly method: 'POST' | 'PATCH'
  readonly path: string
  readonly body: unknown
  /** The ETag of the version that it applies to. */
  readonly ifMatch?: string | undefined
  /** Why it is made in a closed period; '' for none. */
  readonly overrideReason?: string
}

/** Sends writes. An unchanged write that is sent again happens once, whatever became of the first attempt. */
export function createWriter(api: Api): (write: Write) => Promise<Answer> {
  let last: { readonly text: string; readonly key: string } | undefined
  return async ({ overrideReason = '', ...write }) => {
    // The reason isn't part of it: with another one, it is still the same write.
    const text = JSON.stringify(write)
    if (last?.text !== text) last = { text, key: newKey() }
    const { method, path, body, ifMatch } = write
    const headers = {
      'Idempotency-Key': last.key,
      ...(ifMatch !== undefined && { 'If-Match': ifMatch }),
      ...overrideHeader(overrideReason),
    }
    const answer = await api.request(method, path, { body, headers })
    // After success, the same write again is meant as another one.
    last = undefined
    return answer
  }
}

/** A new Idempotency-Key. Unlike randomUUID, this also works on a page served over plain HTTP. */
export function newKey(): string {
  return [...crypto.getRandomValues(new Uint8Array(16))].map((byte) => byte.toString(16).padStart(2, '0')).join('')
}
