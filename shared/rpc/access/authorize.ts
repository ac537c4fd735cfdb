import type { IncomingHttpHeaders } from 'node:http2'
import { missingScopeMessage } from '../../api-keys/scopes.ts'
import type { Caller } from '../../api-keys/serving/api-keys.ts'
import { CodedError } from '../../calls/errors.ts'
import { CLOSING_OVERRIDE, OVERRIDE_NOT_ALLOWED } from '../../fields/closing-fields.ts'
import { KEYS } from '../metadata.ts'
import { type Need, OWN_PROCESSES_ALONE } from './needs.ts'

/** Throws insufficient_scope unless a key may make a call with these headers. */
export function authorize(headers: IncomingHttpHeaders, { scopes }: Caller, need: Exclude<Need, 'nothing'>): void {
  const refusal = (why: string) => new CodedError('insufficient_scope', why)
  if (need === 'own-process') throw refusal(OWN_PROCESSES_ALONE)
  const lack = need === 'any-key' ? undefined : missingScopeMessage(scopes, need)
  if (lack !== undefined) throw refusal(lack)
  const overrides = need === 'contracts:write' && headers[CLOSING_OVERRIDE.toLowerCase()] !== undefined
  if (overrides && !scopes.includes('closing:override')) throw refusal(OVERRIDE_NOT_ALLOWED)
  if (headers[KEYS.actor] !== undefined) throw refusal(ACTOR_IS_KEY)
}

const ACTOR_IS_KEY =
  'The actor is the principal of your API key; only Mint’s own processes name one. Leave mint-actor out.'
