import { changedFields, type Decision } from '../../../shared/event-sourcing/decider.ts'
import type { ClientEvent } from './events.ts'
import { type Client, type FollowedClient, includes, type VersionRange } from './evolve.ts'

/** Records one version of a client's business. Takes only what the businesses service itself says of the business. */
export interface FollowBusiness {
  readonly business: BusinessAtVersion
  /** The business as it is now, if it was asked: no later version is true. */
  readonly now?: BusinessAtVersion | undefined
}

/** Versions are recorded in order, so that no name is lost: these come before the given one. */
export interface VersionsMissing {
  readonly type: 'versions-missing'
  readonly missing: VersionRange
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
 * Decides upon a client, undefined when it is not known. Only the next version moves it, and an older or equal one
 * changes nothing unless the past lacks it, so that shuffled and repeated deliveries end in the same client with the
 * same past. One that shows what its business never was, for an earlier Mint believed every message, is registered anew.
 */
export function decide(
  client: FollowedClient | undefined,
  { business, now }: FollowBusiness,
): Decision<ClientEvent, VersionsMissing> {
  const right = [now, business].find((one) => one && client && contradicts(client, one, one === now))
  if (right !== undefined) return accepted({ type: 'ClientRegistered.v1', data: clientOf(right) })
  const { version: sourceVersion, operatedAs: displayName, updatedAt } = business
  const reached = client?.sourceVersion ?? 0
  if (sourceVersion > reached + 1) {
    return {
      type: 'rejected',
      rejection: { type: 'versions-missing', missing: { from: reached + 1, to: sourceVersion - 1 } },
    }
  }
  if (client === undefined) return accepted({ type: 'ClientRegistered.v1', data: clientOf(business) })
  const data = { displayName, sourceVersion, updatedAt }
  if (includes(client.missing, sourceVersion)) return accepted({ type: 'ClientPastRecorded.v1', data })
  if (sourceVersion <= reached) return { type: 'accepted', events: [] }
  return displayName === client.displayName
    ? accepted({ type: 'ClientRefreshed.v1', data: { sourceVersion, updatedAt } })
    : accepted({ type: 'ClientRenamed.v1', data })
}

/** Whether the client can't be what the business was at one of its versions; `isLatest`: it has no later ones. */
function contradicts(client: Client, business: BusinessAtVersion, isLatest: boolean): boolean {
  const changed = changedFields<Client>(client, clientOf(business))
  const isSameVersion = changed.sourceVersion === undefined && Object.keys(changed).length > 0
  const isBeyond = isLatest && client.sourceVersion > business.version
  return isSameVersion || isBeyond || changed.businessId !== undefined || changed.createdAt !== undefined
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

function accepted(event: ClientEvent): Decision<ClientEvent, VersionsMissing> {
  return { type: 'accepted', events: [event] }
}
