/** A published event: a CloudEvent 1.0 in binary mode (attributes as headers, data as the JSON value). */
export interface TopicMessage {
  /** The aggregate's id: messages of one key stay in order. */
  readonly key: string
  readonly headers: {
    readonly ce_specversion: string
    /** Unique: source and position in the publisher's log, for example `mint/businesses/17`. */
    readonly ce_id: string
    readonly ce_source: string
    readonly ce_type: string
    /** RFC 3339. */
    readonly ce_time: string
  }
  /** UTF-8 JSON text. */
  readonly value: string
}

export interface TopicPublisher {
  /**
   * Delivers in order; answers when every message is durable (in process: handled). Throws MessageTooLarge, or something
   * else when it can't be told.
   */
  publish(messages: readonly TopicMessage[]): Promise<void>
  /**
   * Throws MessagesLost when the topic has taken fewer messages than `published` since it was made. For topics that are
   * to hold every message for ever: one that has fewer was deleted, whether somebody made it anew or not.
   */
  confirm?(published: number): Promise<void>
}

/** The topic takes no message of this size, and never will: nothing of the batch that it was in was published. */
export class MessageTooLarge extends Error {}

/** What was published is not on the topic any more: all of it is to be published again. */
export class MessagesLost extends Error {}

/** Handles messages in the order of each key; they count as handled when it answers. Throws to get them again. */
export type TopicHandler = (messages: readonly TopicMessage[]) => Promise<void>

export interface TopicConsumer {
  /** Starts delivery, at least once, from the first message not yet handled. */
  run(handler: TopicHandler): Promise<void>
  stop(): Promise<void>
}
