import {
  type Metadata,
  ServerInterceptingCall,
  type ServerInterceptingCallInterface,
  type ServerInterceptor,
} from '@grpc/grpc-js'
import type { NeededScope } from '../../api-keys/scopes.ts'
import type { MemoryBudget } from '../../budget/budget.ts'
import { countedAddress } from '../../calls/counted-address.ts'
import { CodedError } from '../../calls/errors.ts'
import { StoreUnavailable } from '../../event-sourcing/ports/event-store.ts'
import { type Guarded, SERVICES } from '../../kinds/services.ts'
import type { Logger } from '../../runtime/log/logger.ts'
import { isRead, isTrial } from '../method-kinds.ts'
import { streamOf } from '../server/inside-grpc-js.ts'
import { toGrpcStatus } from '../status.ts'
import { type Admitted, createAdmission, type GrpcAccess, KEYS_AWAY, type Need } from './admission.ts'
import { type KnownSessions, OWN_PROCESS } from './open-streams.ts'
import { checkSecret } from './service-secret.ts'

/**
 * Admits calls before their message is read: health checks from anyone, everything from Mint's own processes, and other
 * calls with an API key that has the method's scope. Handlers see the authenticated actor, and check its key again once
 * the message is complete. A stream of messages is authenticated when it opens; unless it is from one of Mint's own
 * processes, its caller is charged for it, and each of its messages counts as a call.
 */
export function accessInterceptor(
  access: GrpcAccess,
  { budget, logger, known }: { readonly budget: MemoryBudget; readonly logger: Logger; readonly known: KnownSessions },
): ServerInterceptor {
  const { recognize, admit, countCall } = createAdmission(access, budget, known)
  return ({ path }, call) => {
    const stream = streamOf(call)
    const need = needOf(path)
    const isStream = path.startsWith(REFLECTION)
    const isWrite = Object.hasOwn(METHOD_NEEDS, path) && !isRead(path)
    /** undefined for Mint's own processes. */
    let admitted: Admitted | undefined
    const refuse = (error: unknown): void => {
      call.sendStatus(toGrpcStatus(coded(error, path, logger)))
      // Otherwise it would stay open for as long as its caller wants.
      stream.close()
    }
    return new ServerInterceptingCall(call, {
      start: (next) =>
        next({
          onReceiveMetadata(metadata, proceed) {
            const proof = proofOf(metadata, call, access.secrets())
            if (proof === 'own-process') {
              recognize(stream, OWN_PROCESS)
              return proceed(metadata)
            }
            const address = countedAddress(call.getPeer().replace(/:\d+$/, ''))
            admit({ stream, address, metadata, proof, need, refuse }).then((one) => {
              admitted = one
              proceed(metadata)
            }, refuse)
          },
          onReceiveMessage(message, proceed) {
            admitted?.open.decoded()
            // See withShortRequests.
            if (message instanceof CodedError) return refuse(message)
            // All other calls have a single message, and were counted when they were admitted.
            try {
              if (isStream && admitted?.caller) countCall(admitted.caller)
            } catch (error) {
              return refuse(error)
            }
            proceed(message)
          },
          onReceiveHalfClose(proceed) {
            // Revoked to make room for others: its caller was told that nothing was done.
            if (admitted && stream.closed) return
            if (isWrite) admitted?.open.keep()
            proceed()
          },
        }),
    })
  }
}

function needOf(path: string): Need {
  if (path.startsWith('/grpc.health.')) return 'nothing'
  if (path.startsWith(REFLECTION)) return 'any-key'
  return METHOD_NEEDS[path] ?? 'own-process'
}

const REFLECTION = '/grpc.reflection.'

function proofOf(
  metadata: Metadata,
  call: ServerInterceptingCallInterface,
  secrets: readonly string[],
): 'own-process' | 'wrong-secret' | 'none' {
  const { sslPeerCertificate } = call.getAuthContext()
  const hasCertificate = sslPeerCertificate !== undefined && metadata.get('authorization').length === 0
  if (secrets.length === 0 && hasCertificate) return 'own-process'
  const secret = checkSecret(metadata, secrets)
  return secret === 'right' ? 'own-process' : secret === 'wrong' ? 'wrong-secret' : 'none'
}

/** Hides every text that was not written for callers. */
function coded(error: unknown, method: string, logger: Logger): CodedError {
  if (error instanceof CodedError) return error
  if (error instanceof StoreUnavailable) {
    logger.warn({ outage: 'store', err: error }, 'the API keys can’t be read')
    return new CodedError('unavailable', KEYS_AWAY, { cause: error })
  }
  logger.error({ err: error, method }, 'a caller could not be authenticated')
  return new CodedError('internal_error', 'An internal error occurred.', { cause: error })
}

/** What an API key needs for each method, by its path. All other methods are for Mint's own processes. */
export const METHOD_NEEDS: Readonly<Record<string, NeededScope | 'any-key'>> = Object.fromEntries(
  Object.values(SERVICES).flatMap((services) => Object.values<Guarded>(services).flatMap(needsOf)),
)

function needsOf(guarded: Guarded): (readonly [path: string, NeededScope | 'any-key'])[] {
  const { definition, read, write, open = [], others = {} } = guarded
  return Object.entries(definition).map(([name, { path }]) => {
    if (open.includes(name)) return [path, 'any-key']
    return [path, others[name] ?? (isRead(path) && !isTrial(path) ? read : write)]
  })
}
