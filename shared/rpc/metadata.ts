import type { Metadata } from '@grpc/grpc-js'
import type { Caller } from '../api-keys/serving/api-keys.ts'
import { anonymousCaller, type CallContext } from '../calls/call-context.ts'
import { CodedError, type Violation } from '../calls/errors.ts'
import { commitIdOfKey } from '../calls/ids.ts'
import { CLOSING_OVERRIDE, decodeOverrideReason, OVERRIDE_EXPECTED } from '../fields/closing-fields.ts'
import type { ViolationCode } from '../fields/rule.ts'
import { isTracing, sampledParent } from '../runtime/tracing/tracing.ts'
import type { Need } from './access/needs.ts'

/** The metadata keys of the context's parts. */
export const KEYS = {
  actor: 'mint-actor',
  requestId: 'mint-request-id',
  commitId: 'mint-commit-id',
  requestHash: 'mint-request-hash',
} as const

/** The scopes of an admitted key; only for methods that take any. */
const SCOPES = 'mint-scopes'

const TRACEPARENT = 'traceparent'

/** Metadata values are recorded in events: the limit is that of request ids in the REST API. */
const VALUE = /^[\x21-\x7e]{1,128}$/

/**
 * The context of an admitted call, with a new request id if it has none. Throws validation_failed for a value that is
 * not 1 to 128 visible ASCII characters, or for a malformed reason.
 */
export function fromMetadata(metadata: Metadata, deadline: number | undefined): CallContext {
  const overrideReason = overrideReasonIn(metadata)
  const context = toContext((part) => metadata.get(KEYS[part])[0]?.toString(), deadline)
  const scopes = metadata.get(SCOPES)[0]?.toString().split(' ')
  return { ...context, ...(overrideReason !== undefined && { overrideReason }), ...(scopes && { scopes }) }
}

/** The parent of an admitted call's first span; undefined: it isn't sampled. */
export const sampledIn = (metadata: Metadata): string | undefined =>
  isTracing() ? sampledParent(metadata.get(TRACEPARENT)[0]?.toString()) : undefined

function overrideReasonIn(metadata: Metadata): string | undefined {
  const [given, ...more] = metadata.get(CLOSING_OVERRIDE)
  if (given === undefined) return undefined
  const reason = more.length > 0 ? undefined : decodeOverrideReason(given.toString())
  if (reason !== undefined) return reason
  throw notValid([malformed(CLOSING_OVERRIDE.toLowerCase(), OVERRIDE_EXPECTED)])
}

/**
 * Rewrites the metadata of a call with an API key: the key's principal becomes the actor, commitIds are scoped to it,
 * and its scopes are added where any key will do.
 */
export function attributeToKey(metadata: Metadata, { principal, scopes }: Caller, need: Need): void {
  // Other methods ignore it, as over REST.
  if (need !== 'contracts:write') metadata.remove(CLOSING_OVERRIDE)
  if (need === 'any-key') metadata.set(SCOPES, scopes.join(' '))
  metadata.set(KEYS.actor, principal)
  const name = metadata.get(KEYS.commitId)[0]?.toString()
  // A malformed one is left for toContext to refuse.
  if (name !== undefined && VALUE.test(name)) metadata.set(KEYS.commitId, commitIdOfKey(principal, name))
}

/** The parts of a context that travel as strings. */
export type ContextPart = keyof typeof KEYS

/** Like fromMetadata, from the values that `given` returns for the parts. */
export function toContext(given: (part: ContextPart) => string | undefined, deadline: number | undefined): CallContext {
  const parts: Partial<Record<ContextPart, string>> = {}
  const violations: Violation[] = []
  for (const [part, key] of entries()) {
    const value = given(part)
    if (value === undefined) continue
    if (VALUE.test(value)) parts[part] = value
    else violations.push(malformed(key, 'Send 1 to 128 visible ASCII characters.'))
  }
  if (violations.length > 0) throw notValid(violations)
  return { ...anonymousCaller(), ...parts, ...(deadline !== undefined && { deadline }) }
}

/** The request id that the caller gave, not validated. */
export function requestIdIn(metadata: Metadata): string | undefined {
  return metadata.get(KEYS.requestId)[0]?.toString()
}

const malformed = (key: string, message: string): Violation => ({
  pointer: key,
  code: 'malformed_header' satisfies ViolationCode,
  message,
})

const notValid = (violations: readonly Violation[]): CodedError =>
  new CodedError('validation_failed', 'The metadata is not valid.', { violations })

const entries = () => Object.entries(KEYS) as [ContextPart, string][]
