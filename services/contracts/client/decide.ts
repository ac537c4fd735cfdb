import type { Decision } from '../../../shared/event-sourcing/decider.ts'
import type { ClientEvent } from './events.ts'
import type { Client } from './evolve.ts'

/** Shows a client as its business stands at one version. */
export interface FollowBusiness {
  readonly type: 'follow-business'
  readonly business: BusinessAtVersion
}

/** What a client takes over from its business; times in milliseconds since the epoch. */
export interface BusinessAtVersion {
  readonly id: string
  readonly clientId: string
  readonly operatedAs: string
  readonly createdAt: number
  readonly updatedAt: number
  readonly version: number
}

export type ClientRejection = { readonly type: 'another-business'; readonly businessId: string }

/**
 * Decides upon a client, undefined when it is not known. An older or equal version changes nothing and a newer one
 * wins whatever came before, so that shuffled and repeated deliveries end in the same client.
 */
export function decide(
  client: Client | undefined,
  { business }: FollowBusiness,
): Decision<ClientEvent, ClientRejection> {
  if (client === undefined) return accepted({ type: 'ClientRegistered.v1', data: clientOf(business) })
  if (client.businessId !== business.id) {
    return { type: 'rejected', rejection: { type: 'another-business', businessId: client.businessId } }
  }
  if (business.version <= client.sourceVersion) return { type: 'accepted', events: [] }
  const data = { sourceVersion: business.version, updatedAt: business.updatedAt }
  return business.operatedAs === client.displayName
    ? accepted({ type: 'ClientRefreshed.v1', data })
    : accepted({ type: 'ClientRenamed.v1', data: { displayName: business.operatedAs, ...data } })
}

/** The client that a business is, as it stands at that version. */
export function clientOf(business: BusinessAtVersion): Client {
  return {
    clientId: business.clientId,
    clientType: 'business',
    businessId: business.id,
    displayName: business.operatedAs,
    sourceVersion: business.version,
    createdAt: business.createdAt,
    updatedAt: business.updatedAt,
  }
}

function accepted(event: ClientEvent): Decision<ClientEvent, never> {
  return { type: 'accepted', events: [event] }
}
