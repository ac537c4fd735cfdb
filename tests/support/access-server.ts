import type { CallContext } from '../../shared/calls/call-context.ts'
import { type Guarded, SERVICES } from '../../shared/kinds/services.ts'
import type { GrpcAccess } from '../../shared/rpc/access/admission.ts'
import type { GrpcServerOptions, GrpcService } from '../../shared/rpc/server/grpc-server.ts'
import { testAccess } from './grpc-access.ts'
import type { GrpcOutcome } from './grpc-call.ts'
import { grpcServer } from './grpc-server.ts'

const guarded = Object.values(SERVICES).flatMap((services): Guarded[] => Object.values(services))
const definitions = new Set(guarded.map(({ definition }) => definition))

/** A server with all services, whose methods return empty replies and record the context of each call. */
export async function accessServer(access: Partial<GrpcAccess> = {}, options: Partial<GrpcServerOptions> = {}) {
  const seen: (CallContext | undefined)[] = []
  const services = [...definitions].map((definition) => {
    const methods = Object.entries(definition).map(([name, { responseDeserialize }]) => {
      const answer = async (_: unknown, context?: CallContext) => {
        seen.push(context)
        return responseDeserialize(Buffer.alloc(0))
      }
      return [name, answer]
    })
    return { definition, implementation: Object.fromEntries(methods) } as GrpcService
  })
  const { address } = await grpcServer(services, { ...options, access: { ...testAccess, ...access } })
  return { address, seen }
}

/** What a caller's program relies on. */
export const short = ({ code, reason }: GrpcOutcome) => [code, reason]
