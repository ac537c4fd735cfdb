import assert from 'node:assert/strict'
import { randomUUID } from 'node:crypto'
import type { CallContext } from '../../shared/calls/call-context.ts'
import { CodedError, type ErrorCode, type Violation } from '../../shared/calls/errors.ts'
import type { CreateBusinessRequest } from '../../shared/gen/mint/businesses/v1/businesses.ts'
import type { CreateContractRequest } from '../../shared/gen/mint/contracts/v1/contracts.ts'

export const ACME = '11111111-1111-1111-1111-111111111111'

/** A complete request for a contract of ACME. */
export const aContract = (changes: Partial<CreateContractRequest> = {}): CreateContractRequest => ({
  clientId: ACME,
  serviceName: 'Audit',
  serviceType: 'tax',
  serviceFee: '150',
  ...changes,
})

/** A complete request for a business. */
export const aBusiness = (changes: Partial<CreateBusinessRequest> = {}): CreateBusinessRequest => ({
  legalName: 'Acme Inc.',
  ...changes,
})

/** A call without an Idempotency-Key, as the gateway first sends it. */
export const aCall = (changes: Partial<CallContext> = {}): CallContext => ({
  actor: 'key-1',
  requestId: randomUUID(),
  commitId: randomUUID(),
  isNewCommit: true,
  ...changes,
})

/** The same call, as the gateway retries it if no answer comes. */
export const aRetriedCall = (changes: Partial<CallContext> = {}): CallContext =>
  aCall({ isNewCommit: false, ...changes })

/** A call with an Idempotency-Key. */
export const aKeyedCall = (key: string, request: string, changes: Partial<CallContext> = {}): CallContext =>
  aRetriedCall({ commitId: `commit ${key}`, requestHash: `hash of ${request}`, ...changes })

/** Asserts that a call is refused with a code, and with violations of these pointers and codes. */
export async function assertRefused(
  call: Promise<unknown>,
  code: ErrorCode,
  violations: readonly Pick<Violation, 'pointer' | 'code'>[] = [],
): Promise<void> {
  const error = await call.then(
    () => assert.fail(`expected ${code}, but the call was answered`),
    (reason: unknown) => reason,
  )
  if (!(error instanceof CodedError)) throw error
  const found = { code: error.code, violations: error.violations.map(({ pointer, code }) => ({ pointer, code })) }
  assert.deepEqual(found, { code, violations })
}

/** Returns the value, which must be defined. */
export function present<T>(value: T | undefined): T {
  assert.ok(value !== undefined)
  return value
}
