import type { CallContext } from '../../../shared/calls/call-context.ts'
import { toCommandContext } from '../../../shared/event-sourcing/command-context.ts'
import type { ListQuery, View } from '../../../shared/event-sourcing/ports/view.ts'
import { foldWhole } from '../../../shared/event-sourcing/search-folding.ts'
import type { Logger } from '../../../shared/runtime/log/logger.ts'
import { type AskedBusinesses, neededAnswer } from './asked-businesses.ts'
import { clientOf } from './decide.ts'
import type { Client, FollowedClient } from './evolve.ts'

export interface ClientQueriesOptions {
  readonly view: View<FollowedClient>
  readonly businesses: AskedBusinesses
  readonly logger: Logger
}

export interface ClientListQuery extends Pick<ListQuery, 'search' | 'limit' | 'offset' | 'after'> {
  /** Milliseconds since the epoch, inclusive. */
  readonly updatedSince?: number | undefined
}

export type ClientQueries = ReturnType<typeof createClientQueries>

/** How long a read of a Client known from the topic waits for the businesses service. */
const MAX_WAIT_MILLISECONDS = 1_000

/** Reads Clients from the view and the businesses service. Throws StoreUnavailable. */
export function createClientQueries({ view, businesses, logger }: ClientQueriesOptions) {
  async function fromBusinesses(clientId: string, context: CallContext | undefined): Promise<Client | undefined> {
    const asking = toCommandContext(context)
    const { requestId } = asking
    const business = await neededAnswer(businesses.byClientId(clientId, asking), { clientId, requestId, logger })
    return business && clientOf(business)
  }

  async function broughtUpToDate(client: Client, context: CallContext | undefined): Promise<Client> {
    const asking = toCommandContext(context)
    const deadline = Math.min(asking.deadline, Date.now() + MAX_WAIT_MILLISECONDS)
    try {
      const business = await businesses.byClientId(client.clientId, { ...asking, deadline })
      return business && business.version > client.sourceVersion ? clientOf(business) : client
    } catch (error) {
      const { requestId } = asking
      logger.debug(
        { err: error, clientId: client.clientId, requestId },
        'answered with a client as last received from the topic',
      )
      return client
    }
  }

  return {
    /**
     * The current state of its business or, while the businesses service can’t answer, the last one received from the
     * topic; without either, throws `unavailable`. undefined if the client is unknown.
     */
    async find(clientId: string, context: CallContext | undefined): Promise<Client | undefined> {
      const row = await view.get(clientId)
      return row ? await broughtUpToDate(row.state, context) : await fromBusinesses(clientId, context)
    },
    /** For each name the clientIds known from the topic that have it, compared whole and folded; at most two. */
    withNames: (names: readonly string[]): Promise<readonly (readonly string[])[]> =>
      Promise.all(
        names.map(async (name) => {
          const where = { name: foldWhole(name) }
          const { rows } = await view.list({ where, search: '', limit: 2, offset: 0, withoutTotal: true })
          return rows.map(({ state }) => state.clientId)
        }),
      ),
    /** The display name of each client as last received from the topic; '' for one that it has not brought. */
    namesOf: (clientIds: readonly string[]): Promise<readonly string[]> =>
      Promise.all(clientIds.map(async (clientId) => (await view.get(clientId))?.state.displayName ?? '')),
    /** The clients known from the topic, newest first. Throws CursorNotFound. */
    list: ({ search, limit, offset, after, updatedSince }: ClientListQuery) =>
      view.list({ where: {}, between: { updatedAt: { from: updatedSince } }, search, limit, offset, after }),
  }
}
