import type { CallContext } from '../calls/call-context.ts'
import { CodedError } from '../calls/errors.ts'
import { invalidRequest } from '../fields/check.ts'
import type { ViolationCode } from '../fields/rule.ts'
import type { Logger } from '../runtime/log/logger.ts'
import { StoreUnavailable } from './ports/event-store.ts'
import { CursorNotFound } from './ports/view.ts'

type Method = (request: unknown, context?: CallContext) => Promise<unknown>

/**
 * The same service, whose methods tell their callers `unavailable` when the store is away, and the log why, and
 * `validation_failed` when a list should go on after a record that isn't there: the one place where that is said.
 */
export function codingStoreErrors<Service extends object>(service: Service, logger: Logger): Service {
  const coded =
    (method: Method): Method =>
    async (request, context) => {
      try {
        return await method(request, context)
      } catch (error) {
        if (error instanceof CursorNotFound) throw unknownCursor()
        if (!(error instanceof StoreUnavailable)) throw error
        logger.warn({ outage: 'store', err: error, requestId: context?.requestId }, 'the store is away')
        throw new CodedError('unavailable', 'The data can’t be reached now, and nothing was written: try again.', {
          cause: error,
        })
      }
    }
  return Object.fromEntries(Object.entries(service).map(([name, method]) => [name, coded(method)])) as Service
}

function unknownCursor(): CodedError {
  const message = 'There is no record of this id to go on after. Give the id of the last record of the page before.'
  return invalidRequest([{ pointer: '/after', code: 'unknown_cursor' satisfies ViolationCode, message }])
}
