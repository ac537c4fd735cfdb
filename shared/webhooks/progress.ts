/** How far a webhook is, stored beside the log by the process that delivers; times in milliseconds since the epoch. */
export interface Progress {
  /** The version of the webhooks up to which orders (tests, replays, resuming) are carried out. */
  readonly handled: number
  readonly live: Lane
  /** Comes before `live`, so that a receiver ends up with the newest. */
  readonly replay: Replay | null
  /** Since when nothing has arrived; null: the last attempt succeeded, or there was none. */
  readonly failingSince: number | null
  readonly lastDeliveredAt: number | null
  readonly lastFailure: Failure | null
  /** How many events are taken up and not delivered. */
  readonly waiting: number
}

/** A place in the feed: everything before it is delivered, or stored as held up. */
export interface Lane {
  /** The feed's cursor; undefined: its beginning. */
  readonly after?: string | undefined
  /** The ids of events after it that are delivered or stored all the same. */
  readonly settled: readonly string[]
}

export interface Replay extends Lane {
  readonly since: number
  readonly until: number
}

export interface Failure {
  readonly at: number
  readonly status: number | null
  readonly reason: string
}

/** One attempt. */
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

/** How many deliveries of a webhook are stored. */
export const MOST_DELIVERIES = 1_000

/** The deliveries in stored chunks, newest first. */
export const deliveriesIn = (stored: ReadonlyMap<string, string>): readonly Delivery[] =>
  [...stored.values()]
    .flatMap((text) => JSON.parse(text) as readonly Delivery[])
    .reverse()
    .slice(0, MOST_DELIVERIES)
    // They are stored as they end.
    .sort((one, other) => other.at - one.at)

/** The kind of the gateway's documents about deliveries. */
export const DELIVERIES = 'webhooks'

/** The keys of those documents, or how they begin. */
export const progressKey = (id = ''): string => `progress/${id}`
export const heldKey = (id: string, number?: number): string => `held/${id}/${digits(number)}`
export const bodyKey = (id: string, number?: number): string => `body/${id}/${digits(number)}`
export const deliveriesKey = (id: string, number?: number): string => `deliveries/${id}/${digits(number)}`

/** In the order of the numbers. */
const digits = (number: number | undefined): string => (number === undefined ? '' : String(number).padStart(15, '0'))
