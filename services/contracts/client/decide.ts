import { changedFields } from '../../../shared/event-sourcing/changed-fields.ts'
import type { Decision } from '../../../shared/event-sourcing/decider.ts'
import type { ClientEvent } from './events.ts'
import type { Client } from './evolve.ts'

/**
 * Shows a client as its business was at one version; `set-right`: as it is now, so that no later version is true.
 * Both take only what the businesses service itself says of the business.
 */
export interface FollowBusiness {
  readonly type: 'follow-business' | 'set-right'
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

/**
 * Decides upon a client, undefined when it is not known. An older or equal version changes nothing and a newer one
 * wins whatever came before, so that shuffled and repeated deliveries end in the same client. One that shows what its
 * business never was, for an earlier Mint believed every message, is registered anew.
 */
export function decide(client: Client | undefined, { type, business }: FollowBusiness): Decision<ClientEvent, never> {
  const right = clientOf(business)
  const registered = { type: 'ClientRegistered.v1', data: right } as const
  if (client === undefined) return accepted(registered)
  const isOlder = business.version < client.sourceVersion
  if (contradicts(client, right) || (isOlder && type === 'set-right')) return accepted(registered)
  if (business.version <= client.sourceVersion) return { type: 'accepted', events: [] }
  const data = { sourceVersion: business.version, updatedAt: business.updatedAt }
  return business.operatedAs === client.displayName
    ? accepted({ type: 'ClientRefreshed.v1', data })
    : accepted({ type: 'ClientRenamed.v1', data: { displayName: business.operatedAs, ...data } })
}

/** Whether the two can't both be what one business was at two of its versions, or at one. */
function contradicts(client: Client, right: Client): boolean {
  const changed = changedFields<Client>(client, right)
  const isSameVersion = changed.sourceVersion === undefined && Object.keys(changed).length > 0
  return isSameVersion || changed.businessId !== undefined || changed.createdAt !== undefined
}

/** The client that a business is, at that version. */
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
