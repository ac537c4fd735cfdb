import { z } from 'zod'
import { CodedError } from '../../../shared/calls/errors.ts'
import type { Database } from '../../../shared/event-sourcing/ports/database.ts'
import { validated } from '../../../shared/fields/check.ts'
import { uuidLike } from '../../../shared/fields/identifiers.ts'
import type { BusinessesService } from '../../../shared/gen/mint/businesses/v1/businesses.ts'
import type { CommonMethods } from '../../../shared/kinds/messages.ts'
import { businessKind } from '../business/kind.ts'

const getBusinessByClientIdRequest = z.object({ clientId: uuidLike })

/** mint.businesses.v1.BusinessesService: the methods of every kind, and a business by its clientId. */
export function createBusinessesService(records: CommonMethods<'business'>, database: Database): BusinessesService {
  const view = database.view(businessKind.view)
  return {
    ...records,
    async getBusinessByClientId(request) {
      const where = validated(getBusinessByClientIdRequest, request)
      const { rows } = await view.list({ where, search: '', limit: 1, offset: 0, withoutTotal: true })
      const [found] = rows
      if (found === undefined) throw new CodedError('not_found', 'No business has this clientId. Check the clientId.')
      return { business: { ...businessKind.toMessage(found.state), version: found.version } }
    },
  }
}
