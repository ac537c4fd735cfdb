import { z } from 'zod'
import { clientFields, clientType } from '../../shared/fields/client-fields.ts'
import { recordExampleOf, recordShapeOf, toRecordBy } from '../../shared/fields/field-table.ts'
import { uuidLike, uuidsText } from '../../shared/fields/identifiers.ts'
import { commonFilters } from '../../shared/fields/lists.ts'
import type { ViolationCode } from '../../shared/fields/rule.ts'
import type { Client } from '../../shared/gen/mint/contracts/v1/clients.ts'
import { listQueries } from '../schemas/read-parameters.ts'
import { pageOf } from './fields.ts'

/** The Client record of the REST API. */
export const clientShape = recordShapeOf(clientFields, 'Client')

/** A page of Clients. */
export const clientPage = pageOf('ClientPage', 'clients', clientShape, recordExampleOf(clientFields))

/** The Client of REST. */
export const clientRecord = toRecordBy<Client>(clientFields)

const { clientId, displayName } = clientShape.shape
const { clientId: exampleId, displayName: exampleName } = clientFields

/** The display names of several Clients. */
export const clientNamesShape = z
  .object({
    clients: z.array(
      z.object({
        clientId,
        displayName: displayName.nullable().meta({ description: 'null: there is no such client.' }),
      }),
    ),
  })
  .meta({
    id: 'ClientNames',
    examples: [{ clients: [{ clientId: exampleId.example, displayName: exampleName.example }] }],
  })

/** Names in the order of the ids, '' where there is no such client, as REST shows them. */
export function clientNamesRecord(clientIds: readonly string[], names: readonly string[]) {
  const clients = clientIds.map((clientId, index) => ({ clientId, displayName: names[index] || null }))
  return { clients } satisfies z.output<typeof clientNamesShape>
}

export const clientPath = z.strictObject({
  clientId: uuidLike.meta({ description: 'The UUID of the client, in any case.' }),
})

export const clientNamesQuery = z
  .strictObject({
    ids: uuidsText.optional().meta({
      description:
        'The UUIDs of 1 to 100 clients, in any case, separated by commas. Required, unless `clientIds` has them.',
    }),
    clientIds: uuidsText.optional().meta({ description: 'Another name for `ids`; not together with it.' }),
  })
  .superRefine(
    ({ ids, clientIds }, context) => {
      if ((ids === undefined) !== (clientIds === undefined)) return
      const [violation, message]: [ViolationCode, string] =
        ids === undefined
          ? ['required', 'Required, but missing. Give 1 to 100 UUIDs, separated by commas.']
          : ['not_together', 'Not together with clientIds. Leave one of them out.']
      context.addIssue({ code: 'custom', path: ['ids'], message, params: { violation } })
    },
    { when: () => true },
  )

export const clientListQuery = listQueries(
  {
    ...commonFilters('a display name'),
    clientType: clientType.optional().meta({ description: 'Only clients of this type; so far, all are businesses.' }),
  },
  uuidLike,
).list
