import { createHash } from 'node:crypto'
import type { TopicMessage } from './topic.ts'

/** A message that a consumer could not understand or believe, set aside so that the rest flow on. */
export interface DeadLetter {
  readonly topic: string
  readonly message: TopicMessage
  /** Why, in a sentence. */
  readonly reason: string
  /** When it was set aside, in milliseconds since the epoch. */
  readonly at: number
}

/**
 * A key that two letters share when they are the same one: made from the topic and the whole message, as its source and
 * id alone can be another's. 64 hexadecimal digits, however long the message.
 */
export const identityOf = ({ topic, message }: DeadLetter): string => digest([topic, message])

/** Under which a letter may be stored: as it is now, and as earlier versions of Mint named it. */
export function storedIdentities(letter: DeadLetter): readonly [string, string] {
  const { ce_source, ce_id } = letter.message.headers
  return [identityOf(letter), digest([letter.topic, ce_source, ce_id])]
}

function digest(identity: readonly unknown[]): string {
  return createHash('sha256').update(JSON.stringify(identity)).digest('hex')
}

export interface DeadLetters {
  /** Durable when it answers. A message (see identityOf) set aside again is one dead letter, as it was set aside last. */
  add(letter: DeadLetter): Promise<void>
  /**
   * Takes one out, for example because its message is tried again. One that isn't there changes nothing, nor does one
   * that was set aside again since, at another time.
   */
  remove(letter: DeadLetter): Promise<void>
  /** Oldest first. */
  list(limit: number): Promise<readonly DeadLetter[]>
  count(): Promise<number>
}
