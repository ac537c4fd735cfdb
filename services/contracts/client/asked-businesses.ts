import type { CallContext } from '../../../shared/calls/call-context.ts'
import { CodedError, outageOf } from '../../../shared/calls/errors.ts'
import type { CommandContext } from '../../../shared/event-sourcing/command-context.ts'
import type { Business, BusinessesService } from '../../../shared/gen/mint/businesses/v1/businesses.ts'
import type { Logger } from '../../../shared/runtime/log/logger.ts'

/** What the contracts service calls of the businesses service. */
export type AskableBusinesses = Pick<BusinessesService, 'getBusiness' | 'getBusinessByClientId'>

export type AskedBusinesses = ReturnType<typeof askBusinesses>

/** Calls with the caller's actor and deadline; undefined: no such business. All throw what the call throws. */
export function askBusinesses(businesses: AskableBusinesses) {
  const asCaller = ({ actor, requestId, deadline }: CommandContext): CallContext => ({ actor, requestId, deadline })
  return {
    byId: (id: string, context: CommandContext) => foundIn(businesses.getBusiness({ id }, asCaller(context))),
    /** Also throws `unavailable` if an earlier Mint answers: it ignores the version and returns the current state. */
    async atVersion(id: string, version: number, context: CommandContext): Promise<Business | undefined> {
      const business = await foundIn(businesses.getBusiness({ id, version }, asCaller(context)))
      if (business === undefined || business.version === version) return business
      throw new CodedError('unavailable', 'The businesses service runs an earlier version of Mint: upgrade it too.')
    },
    byClientId: (clientId: string, context: CommandContext) =>
      foundIn(businesses.getBusinessByClientId({ clientId }, asCaller(context))),
  }
}

/**
 * For calls where only the businesses service knows who owns a clientId. If the call fails, logs why and throws
 * `unavailable`.
 */
export async function neededAnswer<Answer>(
  call: Promise<Answer>,
  { clientId, requestId, logger }: { readonly clientId: string; readonly requestId: string; readonly logger: Logger },
): Promise<Answer> {
  try {
    return await call
  } catch (error) {
    const outage = outageOf('businesses', error)
    logger.warn({ outage, err: error, clientId, requestId }, 'the businesses service could not resolve a clientId')
    throw new CodedError('unavailable', 'The owner of this clientId can’t be determined at the moment: try again.', {
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
