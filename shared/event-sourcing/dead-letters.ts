import type { TopicMessage } from './topic.ts'

/** A message that a consumer could not understand, set aside so that the rest flow on. */
export interface DeadLetter {
  readonly topic: string
  readonly message: TopicMessage
  /** Why, in a sentence. */
  readonly reason: string
  /** When it was set aside, in milliseconds since the epoch. */
  readonly at: number
}

export interface DeadLetters {
  /** Durable when it answers. The same message (by its source and id) set aside twice is one dead letter. */
  add(letter: DeadLetter): Promise<void>
  /** Oldest first. */
  list(limit: number): Promise<readonly DeadLetter[]>
  count(): Promise<number>
}
