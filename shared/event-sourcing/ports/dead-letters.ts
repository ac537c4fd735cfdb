import { createHash } from 'node:crypto'
import type { TopicMessage } from './topic.ts'

/** A message that a consumer could not parse or accept, set aside so that the others are not blocked. */
export interface DeadLetter {
  readonly topic: string
  readonly message: TopicMessage
  /** Why it was set aside, in a sentence. */
  readonly reason: string
  /** When it was set aside, in milliseconds since the epoch. */
  readonly at: number
  /** Whether the message was too large, so that only its beginning is here. Mint 0.2 said so only in the reason. */
  readonly isCut?: boolean
}

/**
 * Identifies a letter: a hash of the topic and the whole message, since two messages can share source and id.
 * 64 hexadecimal digits.
 */
export const identityOf = ({ topic, message }: DeadLetter): string => digest([topic, message])

/** The identities that a letter may be stored under: the current one, and that of earlier versions of Mint. */
export function storedIdentities(letter: DeadLetter): readonly [string, string] {
  const { ce_source, ce_id } = letter.message.headers
  return [identityOf(letter), digest([letter.topic, ce_source, ce_id])]
}

/** The exclusive end of the range of identities with this prefix. */
export const endOfIdentities = (prefix: string): string => `${prefix}g`

function digest(identity: readonly unknown[]): string {
  return createHash('sha256').update(JSON.stringify(identity)).digest('hex')
}

export interface DeadLetters {
  /** Durable when it resolves. The same message (see identityOf) set aside again replaces the earlier letter. */
  add(letter: DeadLetter): Promise<void>
  /**
   * Removes a letter, for example because its message is about to be retried. Does nothing when there is none, or when
   * it has been set aside again at another time.
   */
  remove(letter: DeadLetter): Promise<void>
  /** Oldest first, without the first `offset` (0 by default). */
  list(limit: number, offset?: number): Promise<readonly DeadLetter[]>
  /**
   * The letter whose identity (see identityOf) is this or begins with it. Doesn't find letters of earlier versions of
   * Mint, which are stored under another identity.
   */
  find(identity: string): Promise<DeadLetter | undefined>
  count(): Promise<number>
}
