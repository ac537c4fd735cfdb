import type { CallContext } from '../../../shared/calls/call-context.ts'
import { CodedError, outageOf } from '../../../shared/calls/errors.ts'
import { type CommandContext, toCommandContext } from '../../../shared/event-sourcing/command-context.ts'
import type { View } from '../../../shared/event-sourcing/ports/view.ts'
import type { Business, BusinessesService } from '../../../shared/gen/mint/businesses/v1/businesses.ts'
import type { Logger } from '../../../shared/runtime/log/logger.ts'
import type { BusinessAtVersion } from './decide.ts'
import type { FollowedClient, VersionRange } from './evolve.ts'

/** The methods of the businesses service that the contracts service calls. */
export type BusinessCalls = Pick<BusinessesService, 'getBusiness' | 'getBusinessByClientId'>

export type BusinessReader = ReturnType<typeof createBusinessReader>

/** Where Clients are read from: the view built from the topic, and the businesses service itself. */
export interface ClientSources {
  readonly view: View<FollowedClient>
  readonly businesses: BusinessReader
  readonly logger: Logger
}

/** How long an optional call may take. */
const OPTIONAL_CALL_MILLISECONDS = 1_000

/**
 * Reads businesses with the caller's actor and deadline; undefined: no such business. Every method throws what the call
 * throws.
 */
export function createBusinessReader(businesses: BusinessCalls) {
  const asCaller = ({ actor, requestId, deadline }: CommandContext): CallContext => ({ actor, requestId, deadline })
  const soon = ({ deadline = Number.POSITIVE_INFINITY, ...context }: CallContext): CallContext => {
    return { ...context, deadline: Math.min(deadline, Date.now() + OPTIONAL_CALL_MILLISECONDS) }
  }

  /** Throws `unavailable` if an earlier Mint answers, which ignores the version and returns the current state. */
  async function atVersion(id: string, version: number, context: CommandContext): Promise<Business | undefined> {
    const business = await foundIn(businesses.getBusiness({ id, version }, asCaller(context)))
    if (business === undefined || business.version === version) return business
    throw new CodedError('unavailable', 'The businesses service runs an earlier version of Mint: upgrade it too.')
  }

  return {
    byId: (id: string, context: CommandContext) => foundIn(businesses.getBusiness({ id }, asCaller(context))),
    atVersion,
    /** Like `byId`, but also undefined while the service can't be reached. */
    byIdIfReachable: (id: string, context: CallContext) =>
      foundIn(businesses.getBusiness({ id }, soon(context))).catch(() => undefined),
    byClientIdIfReachable: (clientId: string, context: CommandContext) =>
      foundIn(businesses.getBusinessByClientId({ clientId }, soon(asCaller(context)))).catch(() => undefined),
    /** A business at each version of a range, in order, as far as its log goes. Each call has its own deadline. */
    async *versions(id: string, { from, to }: VersionRange, context: CallContext): AsyncGenerator<BusinessAtVersion> {
      for (let version = from; version <= to; version++) {
        const business = await atVersion(id, version, toCommandContext(context))
        if (business === undefined) return
        yield business
      }
    },
    byClientId: (clientId: string, context: CommandContext) =>
      foundIn(businesses.getBusinessByClientId({ clientId }, asCaller(context))),
  }
}

/**
 * Awaits a call without which the owner of a clientId can't be determined. If it fails, logs why and throws
 * `unavailable`.
 */
export async function orUnavailable<Answer>(
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
