import type { CallContext } from '../calls/call-context.ts'
import { CodedError } from '../calls/errors.ts'
import type { Logger } from '../runtime/log/logger.ts'
import type { GrpcRpc } from './client/grpc-client.ts'
import type { GrpcService } from './server/grpc-server.ts'

/** A call between the parts as it ended. */
export interface EndedCall {
  /** With its service, for example `mint.contracts.v1.ContractsService/GetContract`. */
  readonly method: string
  /** `ok`, or the code of the error. */
  readonly code: string
  readonly milliseconds: number
}

export interface CallObservers {
  readonly onCall?: (call: EndedCall) => void
  /** Has a line for each call at level debug. */
  readonly logger: Logger
}

/** The same service, whose calls are told of when they are answered. */
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

/** The same transport, whose calls are told of when they have an answer, or will have none. */
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
  const begun = performance.now()
  const tell = (code: string): void => {
    const milliseconds = performance.now() - begun
    onCall?.({ method, code, milliseconds })
    if (!logger.isLevelEnabled('debug')) return
    logger.debug({ requestId: context?.requestId, method, code, milliseconds }, 'called')
  }
  try {
    const answered = await answer
    tell('ok')
    return answered
  } catch (error) {
    tell(error instanceof CodedError ? error.code : 'internal_error')
    throw error
  }
}
