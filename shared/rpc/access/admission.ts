import type { ServerHttp2Stream } from 'node:http2'
import type { Metadata } from '@grpc/grpc-js'
import { missingScopeMessage, type NeededScope } from '../../api-keys/scopes.ts'
import type { ApiKeys, Caller } from '../../api-keys/serving/api-keys.ts'
import { findCaller, knownCaller } from '../../api-keys/serving/find-caller.ts'
import type { MemoryBudget } from '../../budget/budget.ts'
import { type CountCall, countPerSecond } from '../../calls/count-per-second.ts'
import { CodedError } from '../../calls/errors.ts'
import type { KeyLanes } from '../../calls/lanes.ts'
import { StoreUnavailable } from '../../event-sourcing/ports/event-store.ts'
import { CLOSING_OVERRIDE, OVERRIDE_NOT_ALLOWED } from '../../fields/closing-fields.ts'
import { attributeToKey, namesActor, overridesClosing } from '../metadata.ts'
import { createStreamLimit, type KnownSessions, type OpenStream, openStream } from './open-streams.ts'
import type { ServiceSecrets } from './service-secret.ts'

/** Who may call a server, and how often. */
export interface GrpcAccess {
  readonly apiKeys: Pick<ApiKeys, 'known' | 'find'>
  /** Without any, a verified client certificate identifies one of Mint's own processes. */
  readonly secrets: ServiceSecrets
  /** Counts the calls with a key, over all APIs of the process. */
  readonly countKey: CountCall
  /** The lanes that calls of keys run in. */
  readonly lanes: KeyLanes
  /** How many calls a second without a secret or a known key an address may make; by default as many as over REST. */
  readonly guessesPerSecond?: number
}

/** What a method requires of its caller. */
export type Need = 'nothing' | 'any-key' | 'own-process' | NeededScope

/** A call without proof of being from one of Mint's own processes. */
interface OutsideCall {
  readonly stream: ServerHttp2Stream
  readonly address: string
  readonly metadata: Metadata
  readonly proof: 'wrong-secret' | 'none'
  readonly need: Need
  /** Refuses the call later, while its message arrives. */
  readonly refuse: (error: CodedError) => void
}

export interface Admitted {
  readonly open: OpenStream
  /** undefined where no key is needed. */
  readonly caller?: Caller
}

/** The default of PUBLIC_RATE_LIMIT_PER_SECOND. */
const GUESSES_PER_SECOND = 50

/** Decides about calls that aren't from Mint's own processes. */
export function createAdmission(
  { apiKeys, countKey, guessesPerSecond = GUESSES_PER_SECOND }: GrpcAccess,
  budget: MemoryBudget,
  known: KnownSessions,
) {
  const countGuess = countPerSecond(guessesPerSecond)
  const streamLimit = createStreamLimit(known)

  /** Counts a call against its key. Throws rate_limited. */
  function countCall({ principal }: Caller): void {
    if (countKey(principal).isRefused) throw new CodedError('rate_limited', TOO_MANY_CALLS)
  }

  /** Charges the stream before anything is awaited: to the key if it is in memory, otherwise to the address. */
  function open({ stream, address, metadata, refuse }: OutsideCall): Admitted {
    const given = metadata.get('authorization')
    const caller = given.length === 1 ? knownCaller(given[0]?.toString(), apiKeys) : undefined
    if (caller) streamLimit.recognize(stream, caller.principal)
    else streamLimit.count(stream)
    const share = caller ? budget.ofKey(caller.principal) : budget.ofAddress(address)
    return { open: openStream(stream, share, refuse), ...(caller && { caller }) }
  }

  return {
    recognize: streamLimit.recognize,
    countCall,
    /** Throws CodedError and StoreUnavailable. */
    async admit(call: OutsideCall): Promise<Admitted> {
      const { stream, address, metadata, proof, need, refuse } = call
      const opened = open(call)
      const guess = (): void => {
        if (countGuess(address).isRefused) throw new CodedError('rate_limited', TOO_MANY_GUESSES)
      }
      // Refused even where no secret is needed, so that the caller's operator notices.
      if (proof === 'wrong-secret') {
        guess()
        throw new CodedError('invalid_api_key', WRONG_SECRET)
      }
      if (need === 'nothing') return opened
      const caller = await callerOf(metadata, need, apiKeys, guess)
      countCall(caller)
      authorize(metadata, caller, need)
      if (opened.caller) return opened
      streamLimit.recognize(stream, caller.principal)
      opened.open.release()
      return { open: openStream(stream, budget.ofKey(caller.principal), refuse), caller }
    },
  }
}

/** Throws missing_api_key, invalid_api_key, insufficient_scope, rate_limited, and StoreUnavailable. */
async function callerOf(
  metadata: Metadata,
  need: Need,
  apiKeys: GrpcAccess['apiKeys'],
  guess: () => void,
): Promise<Caller> {
  const given = metadata.get('authorization')
  if (given.length > 1) {
    guess()
    throw new CodedError('invalid_api_key', 'Send one authorization, not several.')
  }
  const caller = await findCaller(given[0]?.toString(), apiKeys, guess)
  if (typeof caller !== 'string') return caller
  throw new CodedError(caller, need === 'own-process' ? OWN_PROCESSES_ALONE : REFUSALS[caller])
}

/** Throws invalid_api_key if the key of an admitted call has become invalid, and `unavailable`. */
export async function checkKey(metadata: Metadata, { apiKeys }: Pick<GrpcAccess, 'apiKeys'>): Promise<void> {
  const [authorization] = metadata.get('authorization')
  // Only Mint's own processes call without one.
  if (authorization === undefined) return
  const caller = await findCaller(authorization.toString(), apiKeys).catch((cause) => {
    throw cause instanceof StoreUnavailable ? new CodedError('unavailable', KEYS_AWAY, { cause }) : cause
  })
  if (typeof caller === 'string') throw new CodedError(caller, NO_LONGER_VALID)
}

/** Checks what the key may do, and attributes the call to it. Throws insufficient_scope. */
function authorize(metadata: Metadata, caller: Caller, need: Exclude<Need, 'nothing'>): void {
  // Other methods ignore it, as over REST.
  if (need !== 'contracts:write') metadata.remove(CLOSING_OVERRIDE)
  if (need === 'own-process') throw new CodedError('insufficient_scope', OWN_PROCESSES_ALONE)
  const lack = need === 'any-key' ? undefined : missingScopeMessage(caller.scopes, need)
  if (lack !== undefined) throw new CodedError('insufficient_scope', lack)
  if (overridesClosing(metadata) && !caller.scopes.includes('closing:override')) {
    throw new CodedError('insufficient_scope', OVERRIDE_NOT_ALLOWED)
  }
  if (namesActor(metadata)) throw new CodedError('insufficient_scope', ACTOR_IS_KEY)
  attributeToKey(metadata, caller, need === 'any-key')
}

const REFUSALS = {
  missing_api_key: 'No API key was given. Send it as metadata: authorization: Bearer mint_<API_KEY>.',
  invalid_api_key: 'This API key is not valid. Send a valid one as metadata: authorization: Bearer mint_<API_KEY>.',
}
export const KEYS_AWAY = 'The API keys can’t be read now: try again.'
const NO_LONGER_VALID = 'This API key is no longer valid. Use another one.'
const TOO_MANY_CALLS = 'Too many calls with this API key. Wait for a second.'
const TOO_MANY_GUESSES = 'Too many calls without a valid API key from this address. Wait for a second.'
const WRONG_SECRET = 'This server does not accept your process’s secret: give all processes the same SERVICE_SECRET.'
const OWN_PROCESSES_ALONE =
  'Only Mint’s own processes may call this: with their common SERVICE_SECRET, or without one, a client certificate.'
const ACTOR_IS_KEY =
  'The actor is the principal of your API key; only Mint’s own processes name one. Leave mint-actor out.'
