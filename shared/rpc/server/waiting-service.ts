import { CodedError } from '../../calls/errors.ts'
import { type GrpcService, grpcService, type ScopedDefinition } from './grpc-server.ts'

/**
 * A service whose server listens before it can answer: every call gets `unavailable`, and the service is not ready,
 * until it gets its implementation. `what`: what it is waiting for.
 */
export function waitingService<Definition extends ScopedDefinition>(definition: Definition, what: string) {
  let ready: GrpcService['implementation'] | undefined
  const methods = Object.keys(definition).map((name) => {
    const method: GrpcService['implementation'][string] = async (request, context) => {
      if (ready === undefined)
        throw new CodedError('unavailable', `This service is still waiting for ${what}: try again.`)
      return await ready[name]?.(request, context)
    }
    return [name, method] as const
  })
  const service = grpcService(definition, Object.fromEntries(methods) as GrpcService<Definition>['implementation'])
  return {
    service: { ...service, isReady: () => ready !== undefined },
    /** From now on calls go to the implementation. */
    answerWith(implementation: GrpcService<Definition>['implementation']): void {
      ready = implementation as GrpcService['implementation']
    },
  }
}
