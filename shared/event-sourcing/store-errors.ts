import type { CallContext } from '../calls/call-context.ts'
import { CodedError } from '../calls/errors.ts'
import { invalidRequest } from '../fields/check.ts'
import { grouped, type ViolationCode } from '../fields/rule.ts'
import type { Logger } from '../runtime/log/logger.ts'
import { StoreUnavailable } from './ports/event-store.ts'
import { CursorNotFound, MAX_RELATED, TooManyRelated } from './ports/view.ts'

type Method = (request: unknown, context?: CallContext) => Promise<unknown>

/**
 * Wraps a service's methods: StoreUnavailable becomes `unavailable`, with the cause in the log, and a list query that
 * can't be answered becomes `validation_failed`. The only place where these errors are converted.
 */
export function codingStoreErrors<Service extends object>(service: Service, logger: Logger): Service {
  const coded =
    (method: Method): Method =>
    async (request, context) => {
      try {
        return await method(request, context)
      } catch (error) {
        if (error instanceof CursorNotFound) throw unknownCursor()
        if (error instanceof TooManyRelated) throw tooManyRelated()
        if (!(error instanceof StoreUnavailable)) throw error
        logger.warn({ outage: 'store', err: error, requestId: context?.requestId }, 'the store is unavailable')
        throw new CodedError('unavailable', 'The data store is unavailable and nothing was written: try again.', {
          cause: error,
        })
      }
    }
  return Object.fromEntries(Object.entries(service).map(([name, method]) => [name, coded(method)])) as Service
}

/** Wraps the methods of all services of a part, by name: see codingStoreErrors. */
export function codingAll<Services extends Readonly<Record<string, object>>>(
  services: Services,
  logger: Logger,
): Services {
  const coded = Object.entries(services).map(([name, service]) => [name, codingStoreErrors(service, logger)])
  return Object.fromEntries(coded) as Services
}

/** The only search in a related view is the one by names of Clients. */
function tooManyRelated(): CodedError {
  const message = `More than ${grouped(MAX_RELATED)} Clients match. Be more specific.`
  return invalidRequest([{ pointer: '/clientName', code: 'too_many_matches' satisfies ViolationCode, message }])
}

function unknownCursor(): CodedError {
  const message =
    'There is no record with this id to continue after. Use the id of the last record of the previous page.'
  return invalidRequest([{ pointer: '/after', code: 'unknown_cursor' satisfies ViolationCode, message }])
}
