import type { Client } from '../../shared/gen/mint/contracts/v1/clients.ts'
import { timestamp } from './timestamp.ts'

/** The Client record of the REST API. */
export function clientRecord(client: Client) {
  return {
    clientId: client.clientId,
    clientType: client.clientType,
    businessId: client.businessId,
    displayName: client.displayName,
    createdAt: timestamp(client.createdAt),
    updatedAt: timestamp(client.updatedAt),
  }
}
