import { z } from 'zod'
import { CodedError } from '../../../shared/calls/errors.ts'
import type { Database } from '../../../shared/event-sourcing/ports/database.ts'
import { codingStoreErrors } from '../../../shared/event-sourcing/store-errors.ts'
import { validated } from '../../../shared/fields/check.ts'
import { uuidLike } from '../../../shared/fields/identifiers.ts'
import type { BusinessesService } from '../../../shared/gen/mint/businesses/v1/businesses.ts'
import type { Logger } from '../../../shared/runtime/log/logger.ts'
import { businessKind } from '../business/kind.ts'

const getBusinessByClientIdRequest = z.object({ clientId: uuidLike })

/** A business can also be asked for by the client that it is. */
export function createBusinessesService(
  records: BusinessesService,
  database: Database,
  logger: Logger,
): BusinessesService {
  const view = database.view(businessKind.view)
  const service: BusinessesService = {
    ...records,
    async getBusinessByClientId(request) {
      const where = validated(getBusinessByClientIdRequest, request)
      const { rows } = await view.list({ where, search: '', limit: 1, offset: 0, withoutTotal: true })
      const [found] = rows
      if (found === undefined) throw new CodedError('not_found', 'There is no business that is this client.')
      return { business: { ...businessKind.toMessage(found.state), version: found.version } }
    },
  }
  return codingStoreErrors(service, logger)
}
