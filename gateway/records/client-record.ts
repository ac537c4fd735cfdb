import { z } from 'zod'
import { clientFields } from '../../shared/fields/client-fields.ts'
import { recordExampleOf, recordShapeOf, toRecordBy } from '../../shared/fields/field-table.ts'
import type { Client } from '../../shared/gen/mint/contracts/v1/clients.ts'
import { total } from './fields.ts'

/** The Client record of the REST API. */
export const clientShape = recordShapeOf(clientFields, 'Client')

/** A page of Clients. */
export const clientPage = z
  .object({ clients: z.array(clientShape), total })
  .meta({ id: 'ClientPage', examples: [{ clients: [recordExampleOf(clientFields)], total: 1 }] })

/** The Client of REST. */
export const clientRecord = toRecordBy<Client>(clientFields)
