import { hash } from 'node:crypto'
import type { Caller } from '../../shared/api-keys/serving/api-keys.ts'
import type { CallContext } from '../../shared/calls/call-context.ts'
import { commitIdOfKey, randomCommitId } from '../../shared/calls/ids.ts'
import type { Exchange } from '../http/exchange.ts'

/** A service gets a little less time than the gateway waits, so that its own error at the deadline still arrives. */
const SERVICE_SHARE = 0.95

/** How long a service may take for a piece of a long answer, in milliseconds. The gateway waits less for the first. */
const PIECE_TIMEOUT = 20_000

/** The context of the calls for one piece: with a deadline for the whole, long answers would be cut. */
export const forPiece = (context: CallContext): CallContext => ({ ...context, deadline: Date.now() + PIECE_TIMEOUT })

/** What identifies a request besides its target; `body` is undefined for reads. */
interface CallParts {
  readonly key: Caller
  readonly body: unknown
  readonly idempotencyKey: string | undefined
  readonly overrideReason: string | undefined
}

/** What the service gets besides the request; for a write, that includes its identity. */
export function callContext(
  { requestId, method, path, span }: Exchange,
  { key, body, idempotencyKey, overrideReason }: CallParts,
  { clock, deadlineMilliseconds }: { readonly clock: () => number; readonly deadlineMilliseconds: number },
): CallContext {
  const deadline = clock() + deadlineMilliseconds * SERVICE_SHARE
  const untraced = {
    actor: key.principal,
    requestId,
    deadline,
    ...(overrideReason !== undefined && { overrideReason }),
  }
  const context = span ? { ...untraced, traceparent: span.traceparent } : untraced
  if (body === undefined) return context
  const request = { principal: key.principal, idempotencyKey, method, path: decodeURIComponent(path), body }
  return { ...context, ...writeIdentity(request) }
}

/** Identifies a write and, if the caller wants its answer remembered, the request. */
interface WriteIdentity {
  readonly commitId: string
  readonly requestHash?: string
  /** Whether it is random: then no other request can have it. */
  readonly isNewCommit?: boolean
}

/** Whether a value is a valid Idempotency-Key: 1 to 255 visible ASCII characters. */
export function isIdempotencyKey(value: string): boolean {
  return /^[\x21-\x7e]{1,255}$/.test(value)
}

/** The same in every gateway for the same principal and Idempotency-Key; random without an Idempotency-Key. */
function writeIdentity(request: {
  readonly principal: string
  readonly idempotencyKey: string | undefined
  readonly method: string
  readonly path: string
  readonly body: unknown
}): WriteIdentity {
  const { principal, idempotencyKey, method, path, body } = request
  if (idempotencyKey === undefined) return { commitId: randomCommitId(), isNewCommit: true }
  return {
    commitId: commitIdOfKey(principal, idempotencyKey),
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
