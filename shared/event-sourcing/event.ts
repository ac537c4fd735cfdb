/** A domain fact: past tense, with a version in the type (`ContractCreated.v1`) and plain JSON as data. */
export interface DomainEvent {
  readonly type: string
  readonly data: object
}

/** A domain event with its time, in milliseconds since the epoch: all that `evolve` may use. */
export type Timed<Event extends DomainEvent> = Event & { readonly at: number }

declare const position: unique symbol
/** A position in one log: the number of events up to and including this one. */
export type Position = number & { readonly [position]: true }

/** Before the first event of a log. */
export const BEGINNING = 0 as Position

/** Names one aggregate's stream: its category (`contract`) and its id within it (`7`). */
export interface StreamName {
  readonly category: string
  readonly id: string
}

/** Who wrote a commit, and when. */
export interface CommitMetadata {
  /** Milliseconds since the epoch; never earlier than the stream's last event. */
  readonly at: number
  /** The API key's principal, or the gRPC caller's name. */
  readonly by: string
  readonly requestId: string
  /** Present when the caller sent an Idempotency-Key (see CallContext). */
  readonly requestHash?: string
  /** The span in which it was appended, if its request was sampled: a W3C traceparent. */
  readonly traceparent?: string
}

/** An event as read from the log, with all that folds and followers may use. */
export interface LogEvent extends DomainEvent {
  readonly position: Position
  readonly stream: StreamName
  /** 1 for the stream's first event, then one more for each. */
  readonly version: number
  readonly at: number
}

/** The same with its author, and with the span that later spans link to. */
export interface AuthoredEvent extends LogEvent, Pick<CommitMetadata, 'traceparent'> {
  readonly by: string
}

/** An event of a stream, with its author and commit. */
export interface RecordedEvent extends AuthoredEvent {
  readonly requestId: string
  readonly commitId: string
}
