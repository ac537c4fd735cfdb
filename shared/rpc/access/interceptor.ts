import { type Metadata, ServerInterceptingCall, type ServerInterceptor } from '@grpc/grpc-js'
import { missingScopeMessage } from '../../api-keys/scopes.ts'
import type { Caller } from '../../api-keys/serving/api-keys.ts'
import { CodedError } from '../../calls/errors.ts'
import { startFairly } from '../../calls/fair-starts.ts'
import { whenLeft } from '../../calls/when-left.ts'
import { CLOSING_OVERRIDE, OVERRIDE_NOT_ALLOWED } from '../../fields/closing-fields.ts'
import { attributeToKey, namesActor, overridesClosing } from '../metadata.ts'
import { isRead } from '../method-kinds.ts'
import { streamOf } from '../server/inside-grpc-js.ts'
import { toGrpcStatus } from '../status.ts'
import type { Admission } from './admission.ts'
import { METHOD_NEEDS, type Need, needOf, OWN_PROCESSES_ALONE, REFLECTION } from './needs.ts'
import { OWN_PROCESS } from './open-streams.ts'

/**
 * Checks what the callers of admitted calls may do, before their message is read. Handlers see the authenticated actor,
 * and check its key again once the message is complete. A stream of messages is authenticated when it opens; unless it is
 * from one of Mint's own processes, its caller is charged for it, and each of its messages counts as a call.
 */
export function accessInterceptor(admission: Admission): ServerInterceptor {
  return ({ path }, call) => {
    const stream = streamOf(call)
    const admitted = admission.of(stream)
    const need = needOf(path)
    const isStream = path.startsWith(REFLECTION)
    const isWrite = Object.hasOwn(METHOD_NEEDS, path) && !isRead(path)
    const refuse = (error: unknown): void => {
      call.sendStatus(toGrpcStatus(admission.coded(error, path)))
      // Otherwise it would stay open for as long as its caller wants.
      stream.close()
    }
    const onReceiveMessage = (message: unknown, proceed: (message: unknown) => void): void => {
      // See withShortRequests.
      if (message instanceof CodedError) refuse(message)
      else proceed(message)
    }
    if (admitted === OWN_PROCESS) {
      return new ServerInterceptingCall(call, { start: (next) => next({ onReceiveMessage }) })
    }
    const { open, caller, starter } = admitted
    return new ServerInterceptingCall(call, {
      start: (next) =>
        next({
          onReceiveMetadata(metadata, proceed) {
            open.countMessage(refuse)
            try {
              if (caller && need !== 'nothing') authorize(metadata, caller, need)
            } catch (error) {
              return refuse(error)
            }
            proceed(metadata)
          },
          onReceiveMessage(message, proceed) {
            open.decoded()
            // All other calls have a single message, and were counted when they were admitted.
            try {
              if (isStream && caller) admission.countCall(caller)
            } catch (error) {
              return refuse(error)
            }
            onReceiveMessage(message, proceed)
          },
          onReceiveHalfClose(proceed) {
            const begin = (): void => {
              // Revoked to make room for others: its caller was told that nothing was done.
              if (stream.closed) return
              if (isWrite) open.keep()
              proceed()
            }
            // Its caller decides when a message is complete: thousands can be at once.
            startFairly(starter, begin, () => whenLeft(stream)).catch(refuse)
          },
        }),
    })
  }
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

const ACTOR_IS_KEY =
  'The actor is the principal of your API key; only Mint’s own processes name one. Leave mint-actor out.'
