import type { IncomingHttpHeaders, ServerHttp2Stream } from 'node:http2'
import { TLSSocket } from 'node:tls'
import type { Metadata } from '@grpc/grpc-js'
import type { ApiKeys, Caller } from '../../api-keys/serving/api-keys.ts'
import { findCaller, knownCaller, secretHashOf } from '../../api-keys/serving/find-caller.ts'
import type { MemoryBudget } from '../../budget/budget.ts'
import { type CountCall, countPerSecond } from '../../calls/count-per-second.ts'
import { countedAddress } from '../../calls/counted-address.ts'
import { CodedError } from '../../calls/errors.ts'
import { startFairly } from '../../calls/fair-starts.ts'
import type { KeyLanes } from '../../calls/lanes.ts'
import { StoreUnavailable } from '../../event-sourcing/ports/event-store.ts'
import type { Logger } from '../../runtime/log/logger.ts'
import { refuseStream } from '../server/refuse-stream.ts'
import { authorize } from './authorize.ts'
import { type Need, needOf, OWN_PROCESSES_ALONE } from './needs.ts'
import {
  holdBack,
  type KnownSessions,
  type OpenStream,
  OWN_PROCESS,
  openStream,
  recognize,
  TOO_MUCH_OPEN,
} from './open-streams.ts'
import { isRightSecret, SECRET, type ServiceSecrets } from './service-secret.ts'

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

/** A call from outside of Mint whose caller may make it now; its scopes are not checked yet. */
export interface Admitted {
  readonly open: OpenStream
  /** undefined where no key is needed. */
  readonly caller?: Caller
  /** Whose work it is: see FairStart. */
  readonly starter: string
}

/** A call that has arrived, and that grpc-js doesn't know of yet. */
export interface ArrivedCall {
  readonly stream: ServerHttp2Stream
  readonly headers: IncomingHttpHeaders
  /** All values of this header, of which Node keeps the first. */
  readonly authorizations: readonly string[]
}

export type Admission = ReturnType<typeof createAdmission>

/** The default of PUBLIC_RATE_LIMIT_PER_SECOND. */
const GUESSES_PER_SECOND = 50

/**
 * Decides who may make which call, before grpc-js sees it: there, refusing one takes ten times as long. A caller from
 * outside is charged for its calls as they arrive, and has them started in its turns: 3,000 calls that arrived together
 * kept every other request waiting for seconds.
 */
export function createAdmission(
  { apiKeys, secrets, countKey, guessesPerSecond = GUESSES_PER_SECOND }: GrpcAccess,
  { budget, logger, known }: { readonly budget: MemoryBudget; readonly logger: Logger; readonly known: KnownSessions },
) {
  const countGuess = countPerSecond(guessesPerSecond)
  const admissions = new WeakMap<ServerHttp2Stream, Admitted | typeof OWN_PROCESS>()

  /** Counts a call against its key. Throws rate_limited. */
  function countCall({ principal }: Caller): void {
    if (countKey(principal).isRefused) throw TOO_MANY_CALLS
  }

  /** Charges a stream to a key or, without one, to an address. Throws rate_limited. */
  function open({ stream }: ArrivedCall, address: string, caller: Caller | undefined): Admitted {
    if (caller) recognize(stream, caller.principal, known)
    const share = caller ? budget.ofKey(caller.principal) : budget.ofAddress(address)
    const opened = openStream(stream, share)
    if (opened) return { open: opened, ...(caller && { caller }), starter: caller?.principal ?? address }
    holdBack(stream, caller?.principal, known)
    throw TOO_MUCH_OPEN
  }

  /** Throws CodedError and StoreUnavailable. */
  async function authenticate(call: ArrivedCall, opened: Admitted, address: string): Promise<Admitted> {
    const need = needOf(String(call.headers[':path']))
    const guess = (): void => {
      if (countGuess(address).isRefused) throw TOO_MANY_GUESSES
    }
    // Refused even where no secret is needed, so that the caller's operator notices.
    if (SECRET in call.headers) {
      guess()
      throw new CodedError('invalid_api_key', WRONG_SECRET)
    }
    if (need === 'nothing') return opened
    const caller = await callerOf(call.authorizations, need, apiKeys, guess)
    countCall(caller)
    authorize(call.headers, caller, need)
    if (opened.caller) return opened
    opened.open.release()
    return open(call, address, caller)
  }

  async function admitOutside(call: ArrivedCall, proceed: () => void): Promise<void> {
    const { stream, authorizations } = call
    const address = countedAddress(stream.session?.socket.remoteAddress ?? '')
    const opened = open(
      call,
      address,
      authorizations.length > 1 ? undefined : knownCaller(secretHashOf(authorizations[0]), apiKeys),
    )
    const start = async (): Promise<void> => {
      admissions.set(stream, await authenticate(call, opened, address))
      if (!stream.closed) proceed()
    }
    await startFairly(opened.starter, start, stream)
  }

  return {
    countCall,
    coded: (error: unknown, method: unknown) => coded(error, method, logger),
    /** Calls `proceed` now or later, or refuses the call. */
    admit(call: ArrivedCall, proceed: () => void): void {
      const { stream, headers } = call
      if (isOwnProcess(call, secrets())) {
        recognize(stream, OWN_PROCESS, known)
        admissions.set(stream, OWN_PROCESS)
        proceed()
      } else {
        admitOutside(call, proceed).catch((error) => refuseStream(stream, coded(error, headers[':path'], logger)))
      }
    },
    /** How a call was admitted. */
    of(stream: ServerHttp2Stream): Admitted | typeof OWN_PROCESS {
      const admitted = admissions.get(stream)
      if (admitted === undefined) throw new Error('A call has not been admitted.')
      return admitted
    },
  }
}

function isOwnProcess({ stream, headers, authorizations }: ArrivedCall, secrets: readonly string[]): boolean {
  if (isRightSecret(headers[SECRET], secrets)) return true
  return secrets.length === 0 && authorizations.length === 0 && hasCertificate(stream)
}

function hasCertificate(stream: ServerHttp2Stream): boolean {
  const socket = stream.session?.socket
  return socket instanceof TLSSocket && socket.authorized && socket.getPeerCertificate().raw !== undefined
}

/** Throws missing_api_key, invalid_api_key, insufficient_scope, rate_limited, and StoreUnavailable. */
async function callerOf(
  given: readonly string[],
  need: Need,
  apiKeys: GrpcAccess['apiKeys'],
  guess: () => void,
): Promise<Caller> {
  if (given.length > 1) {
    guess()
    throw new CodedError('invalid_api_key', 'Send one authorization, not several.')
  }
  const caller = await findCaller(secretHashOf(given[0]), apiKeys, guess)
  if (typeof caller !== 'string') return caller
  throw new CodedError(caller, need === 'own-process' ? OWN_PROCESSES_ALONE : REFUSALS[caller])
}

/** Throws invalid_api_key if the key of an admitted call has become invalid, and `unavailable`. */
export async function checkKey(metadata: Metadata, { apiKeys }: Pick<GrpcAccess, 'apiKeys'>): Promise<void> {
  const [authorization] = metadata.get('authorization')
  // Only Mint's own processes call without one.
  if (authorization === undefined) return
  const caller = await findCaller(secretHashOf(authorization.toString()), apiKeys).catch((cause) => {
    throw cause instanceof StoreUnavailable ? new CodedError('unavailable', KEYS_AWAY, { cause }) : cause
  })
  if (typeof caller === 'string') throw new CodedError(caller, NO_LONGER_VALID)
}

/** Hides every text that was not written for callers. */
function coded(error: unknown, method: unknown, logger: Logger): CodedError {
  if (error instanceof CodedError) return error
  if (error instanceof StoreUnavailable) {
    logger.warn({ outage: 'store', err: error }, 'the API keys can’t be read')
    return new CodedError('unavailable', KEYS_AWAY, { cause: error })
  }
  logger.error({ err: error, method }, 'a caller could not be authenticated')
  return new CodedError('internal_error', 'An internal error occurred.', { cause: error })
}

const REFUSALS = {
  missing_api_key: 'No API key was given. Send it as metadata: authorization: Bearer mint_<API_KEY>.',
  invalid_api_key: 'This API key is not valid. Send a valid one as metadata: authorization: Bearer mint_<API_KEY>.',
}
const KEYS_AWAY = 'The API keys can’t be read now: try again.'
const NO_LONGER_VALID = 'This API key is no longer valid. Use another one.'
const TOO_MANY_CALLS = new CodedError('rate_limited', 'Too many calls with this API key. Wait for a second.')
const TOO_MANY_GUESSES = new CodedError(
  'rate_limited',
  'Too many calls without a valid API key from this address. Wait for a second.',
)
const WRONG_SECRET = 'This server does not accept your process’s secret: give all processes the same SERVICE_SECRET.'
