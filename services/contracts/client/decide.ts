import { accepted, changedFields, type Decision, rejected } from '../../../shared/event-sourcing/decider.ts'
import type { Business } from '../../../shared/gen/mint/businesses/v1/businesses.ts'
import type { ClientEvent } from './events.ts'
import { type Client, type FollowedClient, includes, type VersionRange } from './evolve.ts'

/** Records one version of a client's business, as stated by the businesses service itself. */
export interface FollowBusiness {
  readonly business: BusinessAtVersion
  /** The current state of the business, if it was fetched: there is no later version. */
  readonly now?: BusinessAtVersion | undefined
}

/** Versions are recorded in order, so that no name is lost. These must be recorded before the given one. */
export interface VersionsMissing {
  readonly type: 'versions-missing'
  readonly missing: VersionRange
}

/** What a client copies from its business; times in milliseconds since the epoch. */
export type BusinessAtVersion = Readonly<
  Pick<Business, 'id' | 'clientId' | 'operatedAs' | 'createdAt' | 'updatedAt' | 'version'>
>

/**
 * Decides on a client, which is undefined while it is unknown. Only the next version advances it; an older or equal one
 * changes nothing unless the recorded past lacks it. So reordered and repeated deliveries end in the same client with the
 * same past. A client in a state that its business never had is registered again: earlier versions of Mint believed
 * every message.
 */
export function decide(
  client: FollowedClient | undefined,
  { business, now }: FollowBusiness,
): Decision<ClientEvent, VersionsMissing> {
  const correct = [now, business].find((one) => one && client && contradicts(client, one, one === now))
  if (correct !== undefined) return accepted({ type: 'ClientRegistered.v1', data: clientOf(correct) })
  const { version: sourceVersion, operatedAs: displayName, updatedAt } = business
  const reached = client?.sourceVersion ?? 0
  if (sourceVersion > reached + 1) {
    return rejected({ type: 'versions-missing', missing: { from: reached + 1, to: sourceVersion - 1 } })
  }
  if (client === undefined) return accepted({ type: 'ClientRegistered.v1', data: clientOf(business) })
  const data = { displayName, sourceVersion, updatedAt }
  if (includes(client.missing, sourceVersion)) return accepted({ type: 'ClientPastRecorded.v1', data })
  if (sourceVersion <= reached) return accepted()
  return displayName === client.displayName
    ? accepted({ type: 'ClientRefreshed.v1', data: { sourceVersion, updatedAt } })
    : accepted({ type: 'ClientRenamed.v1', data })
}

/** Whether the client can't come from any version of the business; `isLatest`: this is its latest version. */
function contradicts(client: Client, business: BusinessAtVersion, isLatest: boolean): boolean {
  const changed = changedFields<Client>(client, clientOf(business))
  const isSameVersion = changed.sourceVersion === undefined && Object.keys(changed).length > 0
  const isBeyond = isLatest && client.sourceVersion > business.version
  return isSameVersion || isBeyond || changed.businessId !== undefined || changed.createdAt !== undefined
}

/** The client of a business at that version. */
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
