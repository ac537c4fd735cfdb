import {
  type Metadata,
  ServerInterceptingCall,
  type ServerInterceptingCallInterface,
  type ServerInterceptor,
} from '@grpc/grpc-js'
import type { Scope } from '../../api-keys/scopes.ts'
import type { ApiKeys } from '../../api-keys/serving/api-keys.ts'
import { findCaller } from '../../api-keys/serving/find-caller.ts'
import { countByAddress } from '../../calls/count-by-address.ts'
import { countedAddress } from '../../calls/counted-address.ts'
import { CodedError } from '../../calls/errors.ts'
import { StoreUnavailable } from '../../event-sourcing/ports/event-store.ts'
import type { Logger } from '../../runtime/log/logger.ts'
import { claimForKey, namesActor } from '../metadata.ts'
import { toGrpcStatus } from '../status.ts'
import { METHOD_SCOPES, type MethodPath } from './method-scopes.ts'
import { presentedSecret, type ServiceSecrets } from './service-secret.ts'

/** Who may call a server. */
export interface GrpcAccess {
  readonly apiKeys: Pick<ApiKeys, 'known' | 'find'>
  /** Without any, a verified client certificate identifies one of Mint's own processes. */
  readonly secrets: ServiceSecrets
  /** How often per address calls without a secret or a known key are allowed; the default is the gateway's. */
  readonly guessesPerSecond?: number
}

/** The default of PUBLIC_RATE_LIMIT_PER_SECOND. */
const GUESSES_PER_SECOND = 50

type Need = 'nothing' | 'any-key' | 'own-process' | Scope

/**
 * Admits calls before their message is read: health checks from anyone, Mint's own processes to everything, others with
 * an API key that has the method's scope. Handlers see the authenticated actor. A stream is authenticated once, when it
 * opens.
 */
export function accessInterceptor(access: GrpcAccess, logger: Logger): ServerInterceptor {
  const count = countByAddress(access.guessesPerSecond ?? GUESSES_PER_SECOND)
  return ({ path }, call) => {
    async function countGuess(): Promise<void> {
      const { isRefused } = await count(countedAddress(call.getPeer().replace(/:\d+$/, '')))
      if (isRefused) throw new CodedError('rate_limited', TOO_MANY_GUESSES)
    }
    const need = needOf(path)
    return new ServerInterceptingCall(call, {
      start: (next) =>
        next({
          onReceiveMetadata(metadata, admit) {
            const refuse = (error: unknown): void => call.sendStatus(toGrpcStatus(coded(error, path, logger)))
            const proof = proofOf(metadata, call, access.secrets())
            // Refused even where no secret is needed, so that the operator of that process notices.
            if (proof === 'wrong-secret') {
              return void countGuess().then(() => refuse(new CodedError('invalid_api_key', WRONG_SECRET)), refuse)
            }
            if (proof === 'own-process' || need === 'nothing') return admit(metadata)
            admitKey(metadata, need, access, countGuess).then(() => admit(metadata), refuse)
          },
        }),
    })
  }
}

function needOf(path: string): Need {
  if (path.startsWith('/grpc.health.')) return 'nothing'
  if (path.startsWith('/grpc.reflection.')) return 'any-key'
  return Object.hasOwn(METHOD_SCOPES, path) ? METHOD_SCOPES[path as MethodPath] : 'own-process'
}

function proofOf(
  metadata: Metadata,
  call: ServerInterceptingCallInterface,
  secrets: readonly string[],
): 'own-process' | 'wrong-secret' | 'none' {
  const { sslPeerCertificate } = call.getAuthContext()
  const hasCertificate = sslPeerCertificate !== undefined && metadata.get('authorization').length === 0
  if (secrets.length === 0 && hasCertificate) return 'own-process'
  const secret = presentedSecret(metadata, secrets)
  return secret === 'right' ? 'own-process' : secret === 'wrong' ? 'wrong-secret' : 'none'
}

/** Throws missing_api_key, invalid_api_key, insufficient_scope, rate_limited, and StoreUnavailable. */
async function admitKey(
  metadata: Metadata,
  need: Exclude<Need, 'nothing'>,
  { apiKeys }: GrpcAccess,
  countGuess: () => Promise<void>,
): Promise<void> {
  const given = metadata.get('authorization')
  if (given.length > 1) {
    await countGuess()
    throw new CodedError('invalid_api_key', 'Send one authorization, not several.')
  }
  const caller = await findCaller(given[0]?.toString(), apiKeys, countGuess)
  if (typeof caller === 'string')
    throw new CodedError(caller, need === 'own-process' ? OWN_PROCESSES_ALONE : REFUSALS[caller])
  if (need === 'own-process') throw new CodedError('insufficient_scope', OWN_PROCESSES_ALONE)
  if (need !== 'any-key' && !caller.scopes.includes(need)) {
    throw new CodedError('insufficient_scope', `This API key lacks the scope ${need}. Use a key that has it.`)
  }
  if (namesActor(metadata)) throw new CodedError('insufficient_scope', ACTOR_IS_KEY)
  claimForKey(metadata, caller)
}

const REFUSALS = {
  missing_api_key: 'No API key was given. Send it as metadata: authorization: Bearer mint_<API_KEY>.',
  invalid_api_key: 'This API key is not valid. Send a valid one as metadata: authorization: Bearer mint_<API_KEY>.',
}
const TOO_MANY_GUESSES = 'Too many calls without a valid API key from this address. Wait for a second.'
const WRONG_SECRET = 'This server does not accept your process’s secret: give all processes the same SERVICE_SECRET.'
const OWN_PROCESSES_ALONE =
  'Only Mint’s own processes may call this: with their common SERVICE_SECRET, or without one, a client certificate.'
const ACTOR_IS_KEY = 'The actor is the id of your API key; only Mint’s own processes name one. Leave mint-actor out.'

/** Hides every text that was not written for callers. */
function coded(error: unknown, method: string, logger: Logger): CodedError {
  if (error instanceof CodedError) return error
  if (error instanceof StoreUnavailable) {
    logger.warn({ outage: 'store', err: error }, 'the API keys can’t be read')
    return new CodedError('unavailable', 'The API keys can’t be read now: try again.', { cause: error })
  }
  logger.error({ err: error, method }, 'a caller could not be authenticated')
  return new CodedError('internal_error', 'An internal error occurred.', { cause: error })
}
