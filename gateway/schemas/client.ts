/** What requests about clients may hold, in path, query and body. */
import { z } from 'zod'
import { clientType } from '../../shared/fields/business-fields.ts'
import { uuidLike } from '../../shared/fields/identifiers.ts'
import { limitText, offsetText, search } from '../../shared/fields/lists.ts'

export const clientPath = z.strictObject({
  clientId: uuidLike.meta({ description: 'The UUID of the client, in any case.' }),
})

export const clientFilters = z.strictObject({
  search: search.default('').meta({ description: 'Text to be found anywhere in a display name, whatever the case.' }),
  clientType: clientType.optional().meta({ description: 'Only clients of this type; all are businesses as yet.' }),
  limit: limitText,
  offset: offsetText,
})
