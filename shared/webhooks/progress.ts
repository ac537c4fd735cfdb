/** The progress of a webhook's deliveries, stored by the process that delivers; times in milliseconds since the epoch. */
export interface Progress {
  /** The version of the webhooks up to which commands (tests, replays, resuming) have been handled. */
  readonly handled: number
  readonly live: Checkpoint
  /** Delivered before `live`, so that a receiver ends up with the latest state. */
  readonly replay: Replay | null
  /** Since when all attempts have failed; null: the last one succeeded, or there was none. */
  readonly failingSince: number | null
  readonly lastDeliveredAt: number | null
  readonly lastFailure: Failure | null
  /** The latest time of an event that was read; it may be ahead of the clock. Undefined: none was, or by an earlier Mint. */
  readonly latest?: number | undefined
  /** How many events have been read from the feed but not delivered. */
  readonly waiting: number
}

/** A checkpoint in the feed: all events before it are delivered, or stored to be delivered later. */
export interface Checkpoint {
  /** The feed's cursor; undefined: its beginning. */
  readonly after?: string | undefined
}

export interface Replay extends Checkpoint {
  readonly since: number
  readonly until: number
}

export interface Failure {
  readonly at: number
  readonly status: number | null
  readonly reason: string
}

/** An attempt to deliver an event. */
export interface Delivery {
  readonly eventId: string
  readonly type: string
  readonly subject: string
  /** From 1. */
  readonly attempt: number
  readonly at: number
  /** null: there was no answer. */
  readonly status: number | null
  /** Why it failed; null: it didn't. */
  readonly reason: string | null
  readonly milliseconds: number
  /** null: none is planned. */
  readonly nextAttemptAt: number | null
}

/** How many events may wait for a receiver before no more are read, so that one that is down takes little storage. */
export const MAX_WAITING = 1_000

/** The most deliveries of a webhook that are stored. */
export const MAX_DELIVERIES = 1_000

/** The deliveries in stored chunks, newest first. */
export const deliveriesIn = (stored: ReadonlyMap<string, string>): readonly Delivery[] =>
  [...stored.values()]
    .flatMap((text) => JSON.parse(text) as readonly Delivery[])
    .reverse()
    .slice(0, MAX_DELIVERIES)
    // They are stored in the order in which they end.
    .sort((one, other) => other.at - one.at)

/** The kind of the documents about deliveries in the gateway's database. */
export const DELIVERIES = 'webhooks'

/** The keys of those documents or, with fewer arguments, their prefixes. */
export const progressKey = (id = ''): string => `progress/${id}`
export const heldKey = (id: string, number?: number): string => `held/${id}/${digits(number)}`
export const bodyKey = (id: string, number?: number): string => `body/${id}/${digits(number)}`
export const deliveriesKey = (id: string, number?: number): string => `deliveries/${id}/${digits(number)}`

/** Padded, so that keys sort by number. */
const digits = (number: number | undefined): string => (number === undefined ? '' : String(number).padStart(15, '0'))
