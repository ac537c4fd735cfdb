import { ServerInterceptingCall, type ServerInterceptor } from '@grpc/grpc-js'
import { CodedError } from '../../calls/errors.ts'
import { startFairly } from '../../calls/fair-starts.ts'
import { attributeToKey } from '../metadata.ts'
import { isRead } from '../method-kinds.ts'
import { streamOf } from '../server/inside-grpc-js.ts'
import { toGrpcStatus } from '../status.ts'
import type { Admission } from './admission.ts'
import { METHOD_NEEDS, needOf, REFLECTION } from './needs.ts'
import { OWN_PROCESS } from './open-streams.ts'

/**
 * Has handlers see the authenticated actor of admitted calls; they check its key again once the message is complete. A
 * stream of messages is authenticated when it opens; unless it is from one of Mint's own processes, its caller is charged
 * for it, and each of its messages counts as a call.
 */
export function accessInterceptor(admission: Admission): ServerInterceptor {
  return ({ path }, call) => {
    const stream = streamOf(call)
    const admitted = admission.of(stream)
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
            if (caller) attributeToKey(metadata, caller, needOf(path))
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
            startFairly(starter, begin, stream).catch(refuse)
          },
        }),
    })
  }
}
