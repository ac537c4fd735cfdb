import type { Timed } from '../../../shared/event-sourcing/event.ts'
import type { ClientEvent, ClientIdentity, NamedVersion } from './events.ts'

/**
 * A client at one version of its business. All times are the business's, never those of the delivery, so that every order
 * of delivery ends in the same client.
 */
export interface Client extends ClientIdentity, NamedVersion {}

/** A client, folded from its events: the latest version of its business, and what is known of the earlier ones. */
export interface FollowedClient extends Client {
  /** The version recorded last; older than the client's if it filled a gap in the past. */
  readonly recorded: NamedVersion
  /** Older versions that were never recorded, ascending: earlier versions of Mint skipped some. */
  readonly missing: readonly VersionRange[]
  /** How often the client was registered; what was recorded before the last registration may be wrong. */
  readonly registrations: number
}

/** Applies one event. Throws when an event precedes the registration, which means that the log is damaged. */
export function evolve(client: FollowedClient | undefined, event: Timed<ClientEvent>): FollowedClient {
  if (event.type === 'ClientRegistered.v1') {
    const { displayName, sourceVersion, updatedAt } = event.data
    return {
      ...event.data,
      recorded: { displayName, sourceVersion, updatedAt },
      missing: rangeOf(1, sourceVersion - 1),
      registrations: (client?.registrations ?? 0) + 1,
    }
  }
  if (client === undefined) throw new Error('A client was changed before it was registered.')
  const { displayName, sourceVersion, missing } = client
  const recorded = { displayName, ...event.data }
  switch (event.type) {
    case 'ClientRenamed.v1':
    case 'ClientRefreshed.v1':
      return {
        ...client,
        ...recorded,
        recorded,
        missing: [...missing, ...rangeOf(sourceVersion + 1, recorded.sourceVersion - 1)],
      }
    case 'ClientPastRecorded.v1':
      return { ...client, recorded, missing: without(missing, recorded.sourceVersion) }
  }
}

/** Consecutive versions of a business, both ends inclusive. */
export interface VersionRange {
  readonly from: number
  readonly to: number
}

/** The range from one version to another, as a list that is empty if the range is. */
export const rangeOf = (from: number, to: number): readonly VersionRange[] => (from <= to ? [{ from, to }] : [])

export const includes = (ranges: readonly VersionRange[], version: number): boolean =>
  ranges.some(({ from, to }) => from <= version && version <= to)

export const without = (ranges: readonly VersionRange[], version: number): readonly VersionRange[] =>
  ranges.flatMap((range) => {
    if (!includes([range], version)) return [range]
    return [...rangeOf(range.from, version - 1), ...rangeOf(version + 1, range.to)]
  })
