import { CodedError } from '../errors.ts'
import type { CallContext } from '../rpc/call-context.ts'
import { StoreUnavailable } from './event-store.ts'

type Method<Request, Response> = (request: Request, context?: CallContext) => Promise<Response>

/** A service's method that tells its caller `unavailable` when the store is away: the one place where that is said. */
export function withStoreErrorsCoded<Request, Response>(method: Method<Request, Response>): Method<Request, Response> {
  return async (request, context) => {
    try {
      return await method(request, context)
    } catch (error) {
      if (!(error instanceof StoreUnavailable)) throw error
      throw new CodedError('unavailable', 'The data can’t be reached now, and nothing was written: try again.', {
        cause: error,
      })
    }
  }
}
