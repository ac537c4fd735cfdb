import type { CallContext } from '../../../shared/calls/call-context.ts'
import { CodedError, outageOf } from '../../../shared/calls/errors.ts'
import { type CommandContext, toCommandContext } from '../../../shared/event-sourcing/command-context.ts'
import { changedFields } from '../../../shared/event-sourcing/decider.ts'
import type { View } from '../../../shared/event-sourcing/ports/view.ts'
import type { Business, BusinessesService } from '../../../shared/gen/mint/businesses/v1/businesses.ts'
import type { Logger } from '../../../shared/runtime/log/logger.ts'
import type { BusinessAtVersion } from './decide.ts'
import type { FollowedClient, VersionRange } from './evolve.ts'

/** What the contracts service calls of the businesses service. */
export type AskableBusinesses = Pick<BusinessesService, 'getBusiness' | 'getBusinessByClientId' | 'listBusinessHistory'>

export type AskedBusinesses = ReturnType<typeof askBusinesses>

/** What is known of Clients: from the topic, and from the businesses service itself. */
export interface ClientSources {
  readonly view: View<FollowedClient>
  readonly businesses: AskedBusinesses
  readonly logger: Logger
}

/** As many events of a history as one call may ask for. */
const EVENTS_A_CALL = 100
/** How long a call waits that need not be answered, and how long none is made after one that was not, in milliseconds. */
const PATIENCE = 1_000
const SILENCE = 10_000

/** Calls with the caller's actor and deadline; undefined: no such business. All throw what the call throws. */
export function askBusinesses(businesses: AskableBusinesses) {
  let silentUntil = 0
  const asCaller = ({ actor, requestId, deadline }: CommandContext): CallContext => ({ actor, requestId, deadline })

  /** Also throws `unavailable` if an earlier Mint answers: it ignores the version and returns the current state. */
  async function atVersion(id: string, version: number, context: CommandContext): Promise<Business | undefined> {
    const business = await foundIn(businesses.getBusiness({ id, version }, asCaller(context)))
    if (business === undefined || business.version === version) return business
    throw new CodedError('unavailable', 'The businesses service runs an earlier version of Mint: upgrade it too.')
  }

  return {
    byId: (id: string, context: CommandContext) => foundIn(businesses.getBusiness({ id }, asCaller(context))),
    atVersion,
    /** As `byId`, but also undefined if the service doesn't answer, for which later calls don't wait. */
    async byIdIfReachable(id: string, context: CallContext): Promise<Business | undefined> {
      if (performance.now() < silentUntil) return undefined
      try {
        return await foundIn(businesses.getBusiness({ id }, { ...context, deadline: Date.now() + PATIENCE }))
      } catch {
        silentUntil = performance.now() + SILENCE
        return undefined
      }
    },
    /** Versions of a business, in order, as far as its history goes. Each call for some of them has its own deadline. */
    async *versions(id: string, { from, to }: VersionRange, context: CallContext): AsyncGenerator<BusinessAtVersion> {
      let business = from > 1 ? await atVersion(id, from - 1, toCommandContext(context)) : ({} as Business)
      if (business === undefined) return
      for (let reached = from - 1; reached < to; ) {
        const page = { id, limit: Math.min(EVENTS_A_CALL, to - reached), offset: reached }
        const history = await ifFound(businesses.listBusinessHistory(page, asCaller(toCommandContext(context))))
        if (history === undefined || history.events.length === 0) return
        for (const { version, data = {} } of history.events) {
          business = { ...business, ...changedFields<Partial<Business>>({}, data), version }
          yield business
          reached = version
        }
      }
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
  return (await ifFound(call))?.business
}

async function ifFound<Answer>(call: Promise<Answer>): Promise<Answer | undefined> {
  try {
    return await call
  } catch (error) {
    if (error instanceof CodedError && error.code === 'not_found') return undefined
    throw error
  }
}
