import { toCommandContext } from '../../../shared/event-sourcing/command-context.ts'
import type { Page, Versioned } from '../../../shared/event-sourcing/ports/view.ts'
import { doneOrThrow } from '../../../shared/event-sourcing/rejections.ts'
import { codingStoreErrors } from '../../../shared/event-sourcing/store-errors.ts'
import { validated } from '../../../shared/fields/check.ts'
import type { BusinessesService } from '../../../shared/gen/mint/businesses/v1/businesses.ts'
import type { Logger } from '../../../shared/logger.ts'
import { onceForEach } from '../../../shared/once-for-each.ts'
import type { BusinessCommands, BusinessOutcome } from '../business/commands.ts'
import type { Business } from '../business/evolve.ts'
import type { BusinessQueries } from '../business/queries.ts'
import { businessEventMessage, businessMessage } from './messages.ts'
import { businessRejections, clientNotFound } from './rejections.ts'
import {
  createBusinessRequest,
  editBusinessRequest,
  getBusinessByClientIdRequest,
  getBusinessRequest,
  listBusinessesRequest,
  listBusinessHistoryRequest,
} from './requests.ts'

/** Checks what comes in, and says in coded errors what went wrong, whether it is called directly or over gRPC. */
export function createBusinessesService(
  commands: BusinessCommands,
  queries: BusinessQueries,
  logger: Logger,
): BusinessesService {
  // A view answers a row or a page that it has kept as the same object again, and so the caller gets the same message.
  const messageOf = onceForEach((row: Versioned<Business>) => businessMessage(row.state, row.version))
  const pageOf = onceForEach(({ rows, total }: Page<Business>) => ({ businesses: rows.map(messageOf), total }))
  const service: BusinessesService = {
    async getBusiness(request) {
      const { id, asOf } = validated(getBusinessRequest, request)
      const found = await queries.find(id, asOf)
      if (found === undefined) throw businessRejections['business-not-found']()
      return { business: messageOf(found) }
    },

    async listBusinessHistory(request) {
      const page = await queries.history(validated(listBusinessHistoryRequest, request))
      if (page === undefined) throw businessRejections['business-not-found']()
      return { events: page.events.map(businessEventMessage), total: page.total }
    },

    async getBusinessByClientId(request) {
      const { clientId } = validated(getBusinessByClientIdRequest, request)
      const found = await queries.findByClientId(clientId)
      if (found === undefined) throw clientNotFound()
      return { business: messageOf(found) }
    },

    async listBusinesses(request) {
      return pageOf(await queries.list(validated(listBusinessesRequest, request)))
    },

    async createBusiness(request, context) {
      const fields = validated(createBusinessRequest, request)
      return answer(await commands.create(fields, toCommandContext(context)))
    },

    async editBusiness(request, context) {
      const { id, ...changes } = validated(editBusinessRequest, request)
      const expectedVersions = request.expectedVersions?.versions
      return answer(await commands.edit({ id, changes, expectedVersions }, toCommandContext(context)))
    },
  }
  return codingStoreErrors(service, logger)
}

function answer(outcome: BusinessOutcome) {
  const { state, version, replayed } = doneOrThrow(outcome, businessRejections)
  return { business: businessMessage(state, version), replayed }
}
