import { toCommandContext } from '../../../shared/event-sourcing/command-context.ts'
import { doneOrThrow } from '../../../shared/event-sourcing/rejections.ts'
import { codingStoreErrors } from '../../../shared/event-sourcing/store-errors.ts'
import type { View } from '../../../shared/event-sourcing/view.ts'
import { validated } from '../../../shared/fields/validated.ts'
import type {
  BusinessesService,
  CreateBusinessRequest,
  EditBusinessRequest,
  GetBusinessByClientIdRequest,
  GetBusinessRequest,
  ListBusinessesRequest,
} from '../../../shared/gen/mint/businesses/v1/businesses.ts'
import type { Logger } from '../../../shared/logger.ts'
import type { CallContext } from '../../../shared/rpc/call-context.ts'
import type { BusinessCommands, BusinessOutcome } from '../business/commands.ts'
import type { Business } from '../business/evolve.ts'
import { findBusiness, findBusinessByClientId, listBusinesses } from '../business/queries.ts'
import { businessMessage } from './messages.ts'
import { businessRejections, clientNotFound } from './rejections.ts'
import {
  createBusinessRequest,
  editBusinessRequest,
  getBusinessByClientIdRequest,
  getBusinessRequest,
  listBusinessesRequest,
} from './requests.ts'

/** mint.businesses.v1.BusinessesService: checks what comes in, and says in coded errors what went wrong. */
export function createBusinessesService(
  commands: BusinessCommands,
  view: View<Business>,
  logger: Logger,
): BusinessesService {
  const coded = codingStoreErrors(logger)
  return {
    getBusiness: coded(async (request: GetBusinessRequest) => {
      const { id } = validated(getBusinessRequest, request)
      const row = await findBusiness(view, id)
      if (row === undefined) throw businessRejections['business-not-found']()
      return { business: businessMessage(row.state, row.version) }
    }),

    getBusinessByClientId: coded(async (request: GetBusinessByClientIdRequest) => {
      const { clientId } = validated(getBusinessByClientIdRequest, request)
      const row = await findBusinessByClientId(view, clientId)
      if (row === undefined) throw clientNotFound()
      return { business: businessMessage(row.state, row.version) }
    }),

    listBusinesses: coded(async (request: ListBusinessesRequest) => {
      const { rows, total } = await listBusinesses(view, validated(listBusinessesRequest, request))
      return { businesses: rows.map((row) => businessMessage(row.state, row.version)), total }
    }),

    createBusiness: coded(async (request: CreateBusinessRequest, context?: CallContext) => {
      const fields = validated(createBusinessRequest, request)
      return answer(await commands.create(fields, toCommandContext(context)))
    }),

    editBusiness: coded(async (request: EditBusinessRequest, context?: CallContext) => {
      const { id, ...changes } = validated(editBusinessRequest, request)
      const expectedVersions = request.expectedVersions?.versions
      return answer(await commands.edit({ id, changes, expectedVersions }, toCommandContext(context)))
    }),
  }
}

function answer(outcome: BusinessOutcome) {
  const { state, version, replayed } = doneOrThrow(outcome, businessRejections)
  return { business: businessMessage(state, version), replayed }
}
