import { randomUUID } from 'node:crypto'
import { Metadata } from '@grpc/grpc-js'
import { CodedError } from '../errors.ts'
import type { CallContext } from './call-context.ts'

/** Which metadata key carries which part of the context. */
const KEYS = {
  actor: 'mint-actor',
  requestId: 'mint-request-id',
  commitId: 'mint-commit-id',
  requestHash: 'mint-request-hash',
} as const

/** Metadata values are recorded in events: as long as a request id may be in the REST API. */
const VALUE = /^[\x21-\x7e]{1,128}$/

/** The context as metadata; the deadline travels as gRPC's own. */
export function toMetadata(context: CallContext): Metadata {
  const metadata = new Metadata()
  for (const [part, key] of entries()) {
    const value = context[part]
    if (value !== undefined) metadata.set(key, value)
  }
  return metadata
}

/**
 * The context of a call: a caller that names no actor is `grpc`, one without a request id gets one. Throws
 * validation_failed for a value that is not 1 to 128 visible ASCII characters.
 */
export function fromMetadata(metadata: Metadata, deadline: number | undefined): CallContext {
  const given: Partial<Record<keyof typeof KEYS, string>> = {}
  const violations = []
  for (const [part, key] of entries()) {
    const value = metadata.get(key)[0]
    if (value === undefined) continue
    if (VALUE.test(String(value))) given[part] = String(value)
    else violations.push({ pointer: key, code: 'invalid', message: 'Send 1 to 128 visible ASCII characters.' })
  }
  if (violations.length > 0) throw new CodedError('validation_failed', 'The metadata is not valid.', { violations })
  return { actor: 'grpc', requestId: randomUUID(), ...given, ...(deadline !== undefined && { deadline }) }
}

const entries = () => Object.entries(KEYS) as [keyof typeof KEYS, string][]
