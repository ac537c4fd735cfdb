import { CodedError } from '../../calls/errors.ts'
import type { Guarded, ServicesOf } from '../../kinds/services.ts'
import { type GrpcService, grpcService } from './grpc-server.ts'

/**
 * Services of a server that listens before they can answer: until they get their implementations, they aren't ready and
 * answer every call with `unavailable`. `what`: what they are waiting for.
 */
export function waitingServices<Table extends Readonly<Record<string, Guarded>>>(table: Table, what: string) {
  let ready: Readonly<Record<string, GrpcService['implementation']>> | undefined
  const services = Object.entries(table).map(([service, { definition }]) => {
    const methods = Object.keys(definition).map((name) => {
      const method: GrpcService['implementation'][string] = async (request, context) => {
        if (ready === undefined)
          throw new CodedError('unavailable', `This service is still waiting for ${what}: try again.`)
        return await ready[service]?.[name]?.(request, context)
      }
      return [name, method] as const
    })
    return { ...grpcService(definition, Object.fromEntries(methods)), isReady: () => ready !== undefined }
  })
  return {
    services,
    /** From now on, passes calls to the implementations. */
    answerWith(implementations: ServicesOf<Table>): void {
      ready = implementations as unknown as typeof ready
    },
  }
}

/** Services with their implementations, for a server. */
export function servicesOf<Table extends Readonly<Record<string, Guarded>>>(
  table: Table,
  implementations: ServicesOf<Table>,
): readonly GrpcService[] {
  return Object.entries(table).map(([name, { definition }]) => {
    return grpcService(definition, implementations[name] as GrpcService['implementation'])
  })
}
