import { z } from 'zod'
import { CodedError } from '../../../shared/calls/errors.ts'
import type { Versioned } from '../../../shared/event-sourcing/ports/view.ts'
import { codingStoreErrors } from '../../../shared/event-sourcing/store-errors.ts'
import { validated } from '../../../shared/fields/check.ts'
import { uuidLike } from '../../../shared/fields/identifiers.ts'
import type { BusinessesService } from '../../../shared/gen/mint/businesses/v1/businesses.ts'
import { notFound } from '../../../shared/kinds/record-service.ts'
import type { Logger } from '../../../shared/runtime/log/logger.ts'
import { businessKind } from '../business/concept.ts'
import type { Business } from '../business/evolve.ts'
import type { BusinessQueries } from '../business/queries.ts'

const getBusinessRequest = z.object({ id: uuidLike, version: z.int().min(1) })
const getBusinessByClientIdRequest = z.object({ clientId: uuidLike })

/** For a read by the id of a client. */
const clientNotFound = () => new CodedError('not_found', 'There is no business that is this client.')

/** A business can also be asked for at a version, and by the client that it is. */
export function createBusinessesService(
  records: BusinessesService,
  queries: BusinessQueries,
  logger: Logger,
): BusinessesService {
  const service: BusinessesService = {
    ...records,

    async getBusiness(request, context) {
      if (request.version === undefined) return await records.getBusiness(request, context)
      const { id, version } = validated(getBusinessRequest, request)
      const found = await queries.findVersion(id, version)
      if (found === undefined) throw notFound('business')
      return { business: messageOf(found) }
    },

    async getBusinessByClientId(request) {
      const { clientId } = validated(getBusinessByClientIdRequest, request)
      const found = await queries.findByClientId(clientId)
      if (found === undefined) throw clientNotFound()
      return { business: messageOf(found) }
    },
  }
  return codingStoreErrors(service, logger)
}

const messageOf = ({ state, version }: Versioned<Business>) => ({ ...businessKind.concept.toMessage(state), version })
