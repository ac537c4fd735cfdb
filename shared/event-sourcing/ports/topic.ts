/** A published event: a CloudEvent 1.0 in binary mode (attributes as headers, data as the JSON value). */
export interface TopicMessage {
  /** The aggregate's id. Messages with the same key stay in order. */
  readonly key: string
  readonly headers: {
    readonly ce_specversion: string
    /** Unique: source and position in the publisher's log, for example `mint/businesses/17`. */
    readonly ce_id: string
    readonly ce_source: string
    readonly ce_type: string
    /** RFC 3339. */
    readonly ce_time: string
  } & Readonly<Record<string, string>>
  /** UTF-8 JSON text. */
  readonly value: string
}

export interface TopicPublisher {
  /**
   * Delivers in order; resolves when every message is durable (in one process: handled). After an error it is unknown
   * what was published.
   */
  publish(messages: readonly TopicMessage[]): Promise<void>
  /**
   * Throws MessagesLost when the topic has received fewer messages than `published` since its creation. For topics that
   * retain messages for ever: a topic with fewer was deleted, and perhaps created again.
   */
  confirm?(published: number): Promise<void>
}

/** What was published is no longer on the topic, or no longer in the log: publish the whole log again. */
export class MessagesLost extends Error {}

/** Handles messages in order per key; they count as handled when it resolves. Throws to have them redelivered. */
export type TopicHandler = (messages: readonly TopicMessage[]) => Promise<void>
