import { hash } from 'node:crypto'
import { commitIdOfKey, randomCommitId } from '../../shared/calls/ids.ts'

/** Identifies a write and, if the caller wants its answer remembered, the request. */
export interface WriteIdentity {
  readonly commitId: string
  readonly requestHash?: string
  /** Whether nobody else can know this commitId. */
  readonly isNewCommit?: boolean
}

/** Whether a value is a valid Idempotency-Key: 1 to 255 visible ASCII characters. */
export function isIdempotencyKey(value: string): boolean {
  return /^[\x21-\x7e]{1,255}$/.test(value)
}

/** The same in every gateway for the same API key and Idempotency-Key; random without an Idempotency-Key. */
export function writeIdentity(request: {
  readonly apiKeyId: string
  readonly idempotencyKey: string | undefined
  readonly method: string
  readonly path: string
  readonly body: unknown
}): WriteIdentity {
  const { apiKeyId, idempotencyKey, method, path, body } = request
  if (idempotencyKey === undefined) return { commitId: randomCommitId(), isNewCommit: true }
  return {
    commitId: commitIdOfKey(apiKeyId, idempotencyKey),
    requestHash: hash('sha256', `${method}\n${path}\n${canonicalJson(body)}`),
  }
}

/**
 * Equal text for equal JSON values, with members sorted by name. The value must have passed a schema that bounds its
 * depth.
 */
export function canonicalJson(value: unknown): string {
  if (Array.isArray(value)) return `[${value.map(canonicalJson).join(',')}]`
  if (typeof value !== 'object' || value === null) return JSON.stringify(value)
  const members = Object.entries(value).sort(([a], [b]) => (a < b ? -1 : 1))
  return `{${members.map(([name, member]) => `${JSON.stringify(name)}:${canonicalJson(member)}`).join(',')}}`
}
