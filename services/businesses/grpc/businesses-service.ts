import { z } from 'zod'
import { onceForEach } from '../../../shared/async/once-for-each.ts'
import { CodedError } from '../../../shared/calls/errors.ts'
import { toCommandContext } from '../../../shared/event-sourcing/command-context.ts'
import { type HistoryEvent, sameFields } from '../../../shared/event-sourcing/history.ts'
import type { Page, Versioned } from '../../../shared/event-sourcing/ports/view.ts'
import { doneOrThrow, type RejectionTable } from '../../../shared/event-sourcing/rejections.ts'
import { codingStoreErrors } from '../../../shared/event-sourcing/store-errors.ts'
import { businessFields } from '../../../shared/fields/business-fields.ts'
import { validated } from '../../../shared/fields/check.ts'
import { soughtEmail } from '../../../shared/fields/email.ts'
import { rulesOf, type SameNames } from '../../../shared/fields/field-table.ts'
import { uuidLike } from '../../../shared/fields/identifiers.ts'
import { limit, listRequest, offset } from '../../../shared/fields/lists.ts'
import { timestamp } from '../../../shared/fields/timestamp.ts'
import type {
  BusinessEvent as BusinessEventMessage,
  BusinessesService,
  BusinessFields as BusinessFieldsMessage,
  Business as BusinessMessage,
} from '../../../shared/gen/mint/businesses/v1/businesses.ts'
import type { Logger } from '../../../shared/runtime/log/logger.ts'
import type { BusinessCommands, BusinessOutcome } from '../business/commands.ts'
import type { BusinessRejection } from '../business/decide.ts'
import type { BusinessEvent, BusinessFields } from '../business/events.ts'
import type { Business } from '../business/evolve.ts'
import type { BusinessQueries } from '../business/queries.ts'
import { checkNewBusinesses } from './check-new-businesses.ts'

const getBusinessRequest = z.object({
  id: uuidLike,
  asOf: timestamp.optional(),
  version: z.int().min(1).optional(),
})
const listBusinessHistoryRequest = z.object({ id: uuidLike, limit, offset })
const getBusinessByClientIdRequest = z.object({ clientId: uuidLike })
const listBusinessesRequest = listRequest({ email: soughtEmail.optional(), taxId: businessFields.taxId.rule }, uuidLike)
const rules = rulesOf(businessFields, 'rule')
const createBusinessRequest = z.object(rules satisfies SameNames<typeof rules, BusinessFields>)
const editBusinessRequest = createBusinessRequest.partial().extend({ id: uuidLike })

/** What the callers of the businesses service are told when the domain refuses. */
const businessRejections = {
  'business-not-found': () => new CodedError('not_found', 'There is no business of this id.'),
} satisfies RejectionTable<BusinessRejection>

/** For a read by the id of a client. */
const clientNotFound = () => new CodedError('not_found', 'There is no business that is this client.')

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
      const { id, asOf, version } = validated(getBusinessRequest, request)
      const found = await (version === undefined ? queries.find(id, asOf) : queries.findVersion(id, version))
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

    async checkNewBusinesses({ businesses }) {
      return { verdicts: await checkNewBusinesses(commands, businesses) }
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

/** A business as proto has it: a tax id of `''` is none. */
function businessMessage(
  business: Business & SameNames<Business, Omit<BusinessMessage, 'version'>>,
  version: number,
): BusinessMessage {
  return { ...business, taxId: business.taxId ?? '', version }
}

/** An event as proto has it, with everything that it set, times too, and what that was before. */
function businessEventMessage(happened: HistoryEvent<Business, BusinessEvent>): BusinessEventMessage {
  const { version, by, event, before } = happened
  const { type, at } = event
  const created = type === 'BusinessCreated.v1' ? { createdAt: at } : {}
  const data = { ...event.data, ...created, updatedAt: at }
  return { version, type, at, by, data: fieldsMessage(data), before: fieldsMessage(sameFields(before, data)) }
}

/** Absent fields stay absent; a tax id of null is `''`. */
function fieldsMessage({ taxId, ...fields }: Partial<Business>): BusinessFieldsMessage {
  return taxId === undefined ? fields : { ...fields, taxId: taxId ?? '' }
}
