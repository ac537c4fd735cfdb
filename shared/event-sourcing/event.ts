/** A fact as the domain states it: past tense, with a version in the type (`ContractCreated.v1`), data as plain JSON. */
export interface DomainEvent {
  readonly type: string
  readonly data: object
}

/** A domain event with the time it happened at, in milliseconds since the epoch: all that `evolve` may look at. */
export type Timed<Event extends DomainEvent> = Event & { readonly at: number }

declare const position: unique symbol
/**
 * A place in one log. Only the adapter that made it may calculate with it: everyone else keeps it, hands it back, and
 * at most compares two for order.
 */
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
  /** Milliseconds since the epoch; never before the stream's last event. */
  readonly at: number
  /** The API key's id, or the gRPC caller's name. */
  readonly by: string
  readonly requestId: string
  /** Present when the writer asked to be remembered (see CallContext). */
  readonly requestHash?: string
}

/** An event as the log tells it: all that folds and followers may look at. */
export interface LogEvent extends DomainEvent {
  readonly position: Position
  readonly stream: StreamName
  /** 1 for the stream's first event, one more for each that follows. */
  readonly version: number
  readonly at: number
}

/** An event of a stream, with who wrote it in which commit. */
export interface RecordedEvent extends LogEvent {
  readonly by: string
  readonly requestId: string
  readonly commitId: string
}
