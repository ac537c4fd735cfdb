import type { CallContext } from '../../../shared/call-context.ts'
import { CodedError } from '../../../shared/errors.ts'
import { type CommandContext, toCommandContext } from '../../../shared/event-sourcing/command-context.ts'
import type { ListQuery, Page, View } from '../../../shared/event-sourcing/ports/view.ts'
import type { Business, BusinessesService } from '../../../shared/gen/mint/businesses/v1/businesses.ts'
import type { Logger } from '../../../shared/logger.ts'
import { clientOf } from './decide.ts'
import type { Client } from './evolve.ts'

export interface ClientQueriesParts {
  readonly view: View<Client>
  readonly businesses: Pick<BusinessesService, 'getBusinessByClientId'>
  readonly logger: Logger
}

export type ClientListQuery = Omit<ListQuery, 'where'>

/** Reading clients. Throws StoreUnavailable. */
export interface ClientQueries {
  /**
   * The client, or undefined when nobody knows it. One that the topic has not told of yet is asked of the businesses
   * service; throws CodedError `unavailable` when that can't answer.
   */
  find(clientId: string, context: CallContext | undefined): Promise<Client | undefined>
  /** The clients that the topic has told of, newest first. */
  list(query: ClientListQuery): Promise<Page<Client>>
}

/** The queries of the clients that a view shows and the businesses service knows. */
export function createClientQueries({ view, businesses, logger }: ClientQueriesParts): ClientQueries {
  async function askBusinesses(clientId: string, context: CommandContext): Promise<Business | undefined> {
    const { actor, requestId, deadline } = context
    try {
      const { business } = await businesses.getBusinessByClientId({ clientId }, { actor, requestId, deadline })
      return business
    } catch (error) {
      if (error instanceof CodedError && error.code === 'not_found') return undefined
      logger.warn({ err: error, clientId, requestId }, 'the businesses service could not say whose a clientId is')
      throw new CodedError('unavailable', 'Whether this client exists can’t be told now: try again.', { cause: error })
    }
  }

  return {
    async find(clientId, context) {
      const row = await view.get(clientId)
      if (row !== undefined) return row.state
      const business = await askBusinesses(clientId, toCommandContext(context))
      return business && clientOf(business)
    },
    list: ({ search, limit, offset }) => view.list({ where: {}, search, limit, offset }),
  }
}
