/** What requests about clients may hold, in path, query and body. */
import { z } from 'zod'
import { clientType } from '../../shared/fields/client-fields.ts'
import { uuidLike, uuidsText } from '../../shared/fields/identifiers.ts'
import { commonFilters } from '../../shared/fields/lists.ts'
import { listQueries } from './read-parameters.ts'

export const clientPath = z.strictObject({
  clientId: uuidLike.meta({ description: 'The UUID of the client, in any case.' }),
})

export const clientNamesQuery = z.strictObject({
  clientIds: uuidsText.meta({ description: 'The UUIDs of 1 to 100 clients, in any case, separated by commas.' }),
})

export const clientListQuery = listQueries(
  {
    ...commonFilters('a display name'),
    clientType: clientType.optional().meta({ description: 'Only clients of this type; all are businesses as yet.' }),
  },
  uuidLike,
).list
