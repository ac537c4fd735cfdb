import type { Moment, Row, Values, VersionedRow } from './history.ts'
import type { VersionedClosing } from './history-of-closings.ts'

/** The state after the last fault, with all processes healthy. */
export interface EndState {
  readonly type: 'end'
  readonly call: Moment
  readonly return: Moment
  readonly contracts: readonly Row[]
  /** The names of all businesses. */
  readonly businesses: readonly string[]
  readonly businessIds: readonly string[]
}

/** An event of the feed. */
export interface FeedEvent {
  readonly source: string
  readonly position: number
  /** `contract`, `business`, `closing` or `firm`. */
  readonly kind: string
  readonly subject: string
  /** The record's version after it. */
  readonly version: number
}

/** The feed as read at the end, and as received by a follower during the run. */
export interface FeedAtEnd {
  readonly type: 'feed'
  readonly events: readonly FeedEvent[]
  readonly followed: readonly FeedEvent[]
}

/** All events of one contract at the end, and the record as answered then. */
export interface RecordHistory {
  readonly type: 'record-history'
  readonly call: Moment
  readonly return: Moment
  readonly record: VersionedRow
  readonly events: readonly { readonly version: number; readonly data: Partial<Values> }[]
}

/** Every closing that was ever set, as read at the end. */
export interface ClosingHistory {
  readonly type: 'closing-history'
  readonly call: Moment
  readonly return: Moment
  readonly closings: readonly VersionedClosing[]
}

/** The names that a business had, and those that reports show at the end as of these times. */
export interface ClientNames {
  readonly type: 'client-names'
  readonly clientId: string
  /** In the order of its versions. */
  readonly names: readonly { readonly at: number; readonly name: string }[]
  /** null: the business was not known then. Moments at which the client had no contract are left out. */
  readonly shown: readonly { readonly asOf: number; readonly name: string | null }[]
}
