import type { CallContext } from '../../../shared/calls/call-context.ts'
import { CodedError, outageOf } from '../../../shared/calls/errors.ts'
import type { CommandContext } from '../../../shared/event-sourcing/command-context.ts'
import type { Business, BusinessesService } from '../../../shared/gen/mint/businesses/v1/businesses.ts'
import type { Logger } from '../../../shared/runtime/log/logger.ts'

/** What the contracts service asks the businesses service. */
export type AskableBusinesses = Pick<BusinessesService, 'getBusiness' | 'getBusinessByClientId'>

export type AskedBusinesses = ReturnType<typeof askBusinesses>

/** Calls with the caller's actor and deadline; undefined: there is no such business. Both throw what the call throws. */
export function askBusinesses(businesses: AskableBusinesses) {
  const asCaller = ({ actor, requestId, deadline }: CommandContext): CallContext => ({ actor, requestId, deadline })
  return {
    byId: (id: string, context: CommandContext) => foundIn(businesses.getBusiness({ id }, asCaller(context))),
    /** Throws `unavailable` also where an earlier Mint answers, which knows no versions and says how it is now. */
    async atVersion(id: string, version: number, context: CommandContext): Promise<Business | undefined> {
      const business = await foundIn(businesses.getBusiness({ id, version }, asCaller(context)))
      if (business === undefined || business.version === version) return business
      throw new CodedError('unavailable', 'The businesses service is of an earlier Mint: upgrade it, too.')
    },
    byClientId: (clientId: string, context: CommandContext) =>
      foundIn(businesses.getBusinessByClientId({ clientId }, asCaller(context))),
  }
}

/**
 * Where only the businesses service can tell whose a clientId is. Throws `unavailable`, and logs why, without an
 * answer.
 */
export async function neededAnswer<Answer>(
  call: Promise<Answer>,
  { clientId, requestId, logger }: { readonly clientId: string; readonly requestId: string; readonly logger: Logger },
): Promise<Answer> {
  try {
    return await call
  } catch (error) {
    const outage = outageOf('businesses', error)
    logger.warn({ outage, err: error, clientId, requestId }, 'the businesses service could not say whose a clientId is')
    throw new CodedError('unavailable', 'The owner of this clientId can’t be determined now: try again.', {
      cause: error,
    })
  }
}

async function foundIn(call: Promise<{ readonly business?: Business | undefined }>): Promise<Business | undefined> {
  try {
    return (await call).business
  } catch (error) {
    if (error instanceof CodedError && error.code === 'not_found') return undefined
    throw error
  }
}
