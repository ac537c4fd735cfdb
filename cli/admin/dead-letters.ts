import { type DeadLetter, identityOf } from '../../shared/event-sourcing/dead-letters.ts'
import { CommandFailure } from '../exit.ts'
import type { Parts } from './parts.ts'
import { item, progress, type Running } from './running.ts'

/** More than anybody reads; on Kafka the topic is read whole anyway. */
const MOST = 100_000

/** A message that the contracts service could not understand. */
export interface ListedLetter {
  /** Names the letter in `replay`: 12 hexadecimal digits. */
  readonly id: string
  readonly topic: string
  readonly key: string
  readonly type: string
  readonly reason: string
  /** When it was set aside, RFC 3339. */
  readonly at: string
  /** The message's text as it came. */
  readonly value: string
}

/** The dead letters, oldest first. */
export async function* listDeadLetters({ deadLetters }: Parts, _input: object): Running<ListedLetter> {
  for (const letter of await deadLetters.list(MOST)) yield item(toListed(letter))
}

export interface ReplayInput {
  /** undefined: all of them. */
  readonly id?: string | undefined
}

export interface ReplayedLetter {
  readonly id: string
  /** `published`: it is on its way, and comes back when it is not understood again. */
  readonly outcome: 'published' | 'set aside again'
}

/**
 * Publishes dead letters again, for a contracts service that understands them by now. Each is taken out before, because
 * the one that comes back would be taken for the one that is here already; it is put back when publishing fails.
 */
export async function* replayDeadLetters(parts: Parts, { id }: ReplayInput): Running<ReplayedLetter> {
  const { deadLetters, publisher } = parts
  const letters = (await deadLetters.list(MOST)).filter((letter) => id === undefined || idOf(letter) === id)
  if (id !== undefined && letters.length === 0) throw new CommandFailure(`There is no dead letter ${id}.`)
  for (const [index, letter] of letters.entries()) {
    await deadLetters.remove(letter)
    try {
      await publisher.publish([letter.message])
    } catch (error) {
      await deadLetters.add(letter)
      throw error
    }
    yield progress('publishing', index + 1, letters.length)
  }
  const back = new Set((await deadLetters.list(MOST)).map(idOf))
  for (const letter of letters) {
    yield item({ id: idOf(letter), outcome: back.has(idOf(letter)) ? 'set aside again' : 'published' })
  }
}

const idOf = (letter: DeadLetter): string => identityOf(letter).slice(0, 12)

function toListed(letter: DeadLetter): ListedLetter {
  const { topic, message, reason, at } = letter
  return {
    id: idOf(letter),
    topic,
    key: message.key,
    type: message.headers.ce_type,
    reason,
    at: new Date(at).toISOString(),
    value: message.value,
  }
}
