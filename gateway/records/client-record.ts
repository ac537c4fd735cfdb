import { z } from 'zod'
import type { Client } from '../../shared/gen/mint/contracts/v1/clients.ts'
import { type FieldsOf, timestamp, timestampText, total } from './fields.ts'

const example = {
  clientId: '019c13a4-5b40-7c11-9d52-6f0d5c1c2a02',
  clientType: 'business' as const,
  businessId: '019c13a4-5b40-7c11-9d52-6f0d5c1c2a01',
  displayName: 'École Montréal',
  createdAt: '2026-01-31T09:30:00.000Z',
  updatedAt: '2026-01-31T09:30:00.000Z',
}

/** The Client record of the REST API. */
export const clientShape = z
  .object({
    clientId: z.guid(),
    clientType: z.literal('business'),
    businessId: z.guid(),
    displayName: z.string().meta({ description: 'The name that the business operates as.' }),
    createdAt: timestampText,
    updatedAt: timestampText,
  })
  .meta({ id: 'Client', examples: [example] })

/** A page of Clients. */
export const clientPage = z
  .object({ clients: z.array(clientShape), total })
  .meta({ id: 'ClientPage', examples: [{ clients: [example], total: 1 }] })

/** The Client of REST. */
export function clientRecord(client: Client): FieldsOf<typeof clientShape> {
  return {
    clientId: client.clientId,
    clientType: client.clientType,
    businessId: client.businessId,
    displayName: client.displayName,
    createdAt: timestamp(client.createdAt),
    updatedAt: timestamp(client.updatedAt),
  }
}
