import type { CallContext } from '../calls/call-context.ts'
import { CodedError } from '../calls/errors.ts'
import type { Logger } from '../runtime/log/logger.ts'
import type { GrpcRpc } from './client/grpc-client.ts'
import type { GrpcService } from './server/grpc-server.ts'

/** A finished call between Mint's processes. */
export interface EndedCall {
  /** With its service, for example `mint.contracts.v1.ContractsService/GetContract`. */
  readonly method: string
  /** `ok`, or the code of the error. */
  readonly code: string
  readonly milliseconds: number
}

export interface CallObservers {
  readonly onCall?: (call: EndedCall) => void
  /** Gets a line for each call at level debug. */
  readonly logger: Logger
}

/** Wraps a service so that its calls are reported once answered. */
export function observedService(service: GrpcService, observers: CallObservers): GrpcService {
  const { definition, implementation } = service
  const observed = Object.entries(definition).map(([name, { path }]) => {
    const method = path.slice(1)
    const answer = async (request: unknown, context?: CallContext) => await implementation[name]?.(request, context)
    return [
      name,
      (request: unknown, context?: CallContext) => observe(method, answer(request, context), context, observers),
    ]
  })
  return { ...service, implementation: Object.fromEntries(observed) }
}

/** Wraps a transport so that its calls are reported once they are answered or have failed. */
export function observedRpc(rpc: GrpcRpc, observers: CallObservers): GrpcRpc {
  return {
    ...rpc,
    request: (service, method, data, context) =>
      observe(`${service}/${method}`, rpc.request(service, method, data, context), context, observers),
  }
}

async function observe<Answer>(
  method: string,
  answer: Promise<Answer>,
  context: CallContext | undefined,
  { onCall, logger }: CallObservers,
): Promise<Answer> {
  const startedAt = performance.now()
  const report = (code: string): void => {
    const milliseconds = performance.now() - startedAt
    onCall?.({ method, code, milliseconds })
    if (!logger.isLevelEnabled('debug')) return
    logger.debug({ requestId: context?.requestId, method, code, milliseconds }, 'called')
  }
  try {
    const answered = await answer
    report('ok')
    return answered
  } catch (error) {
    report(error instanceof CodedError ? error.code : 'internal_error')
    throw error
  }
}
