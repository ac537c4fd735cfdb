import type { IncomingMessage } from 'node:http'
import type { Caller } from '../../shared/api-keys/serving/api-keys.ts'
import {
  CLOSING_OVERRIDE,
  decodeOverrideReason,
  OVERRIDE_EXPECTED,
  OVERRIDE_NOT_ALLOWED,
} from '../../shared/fields/closing-fields.ts'
import { type LocatedViolation, ProblemError } from '../problem.ts'
import type { Endpoint } from '../routes/endpoint.ts'
import { malformedHeader } from './entity-tags.ts'
import { countHeader } from './exchange.ts'

type Headers = Pick<IncomingMessage, 'headers' | 'rawHeaders'>

/** Whether an endpoint's writes can be forbidden by a closing, and so take Closing-Override. */
export const takesClosingOverride = ({ scope }: Pick<Endpoint, 'scope'>): boolean => scope === 'contracts:write'

/** Throws insufficient_scope if a request gives a reason to write into a closed period without the scope for it. */
export function requireOverrideScope(endpoint: Endpoint, key: Caller, { headers }: Headers): void {
  if (!takesClosingOverride(endpoint) || headers[NAME] === undefined) return
  if (!key.scopes.includes('closing:override')) {
    throw new ProblemError('insufficient_scope', { detail: OVERRIDE_NOT_ALLOWED })
  }
}

/** The reason for writing into a closed period; undefined where none is given. Adds a violation if it is malformed. */
export function overrideReasonOf(
  endpoint: Endpoint,
  { headers, rawHeaders }: Headers,
  errors: LocatedViolation[],
): string | undefined {
  const given = headers[NAME]
  if (!takesClosingOverride(endpoint) || given === undefined) return undefined
  // Node joins repeated headers into one, which could pass for a reason.
  const reason = countHeader(rawHeaders, NAME) > 1 ? undefined : decodeOverrideReason(given.toString())
  if (reason === undefined) errors.push(malformedHeader(CLOSING_OVERRIDE, OVERRIDE_EXPECTED))
  return reason
}

const NAME = CLOSING_OVERRIDE.toLowerCase()
