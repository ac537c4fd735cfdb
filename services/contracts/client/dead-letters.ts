import { type DeadLetter, type DeadLetters, identityOf } from '../../../shared/event-sourcing/ports/dead-letters.ts'
import type { TopicMessage } from '../../../shared/event-sourcing/ports/topic.ts'

/** The id that people see: 12 hexadecimal digits. */
export const idOf = (letter: DeadLetter): string => identityOf(letter).slice(0, 12)

/** How many letters are read at once: each can have 15 MB. */
const LETTERS_PER_READ = 10

/** The letters after the first `offset`, oldest first, at most `limit`; read a few at a time. */
export async function* lettersFrom(
  deadLetters: Pick<DeadLetters, 'list'>,
  { limit, offset = 0 }: { readonly limit: number; readonly offset?: number },
): AsyncGenerator<DeadLetter> {
  for (let read = 0; read < limit; read += LETTERS_PER_READ) {
    const count = Math.min(LETTERS_PER_READ, limit - read)
    const letters = await deadLetters.list(count, offset + read)
    yield* letters
    if (letters.length < count) return
  }
}

/** A TopicHandler. `topic`: where the messages are from, by default the one consumed; recorded if they are set aside. */
export type BusinessesHandler = (messages: readonly TopicMessage[], topic?: string) => Promise<void>

interface Replaying {
  readonly deadLetters: Pick<DeadLetters, 'remove' | 'find'>
  readonly handle: BusinessesHandler
}

/**
 * Handles a letter's message again, and only then removes the letter. If interrupted in between, the next replay repeats
 * it, which changes nothing in Clients. A letter that is set aside again meanwhile has a new time, and is not removed.
 * `too_large`: only the beginning of the message was stored.
 */
export async function replayLetter(letter: DeadLetter, { deadLetters, handle }: Replaying) {
  if (isCut(letter)) return 'too_large'
  await handle([letter.message], letter.topic)
  await deadLetters.remove(letter)
  return (await deadLetters.find(identityOf(letter))) ? 'set_aside_again' : 'handled'
}

/** MongoDB's limit for a document is 16 MiB; this leaves room for the names of fields. */
const MAX_BYTES = 15_000_000
/** How much of each text of a cut message is stored, in UTF-16 code units. */
const CUT_LENGTH = 1_000

const CUT = 'Too large to be set aside whole'

/** Whether only the beginning of the message was stored, which must not be handled in place of the whole. */
export const isCut = ({ isCut, reason }: DeadLetter): boolean => isCut ?? reason.includes(CUT)

/**
 * Cuts a letter that is too large to store down to the beginning of its message, and says so in its reason. The topic
 * still has the whole message.
 */
export function cutToFit(letter: DeadLetter): DeadLetter {
  const { message, reason, topic } = letter
  const { key, headers, value } = message
  const size = [key, value, reason, ...Object.values(headers)].reduce((sum, text) => sum + Buffer.byteLength(text), 0)
  if (size <= MAX_BYTES) return { ...letter, isCut: false }
  const note = `${CUT} (${size} bytes), so only its beginning is here: read it on ${topic}.`
  const cutHeaders = Object.entries(headers).map(([name, text]) => [name, text.slice(0, CUT_LENGTH)])
  return {
    ...letter,
    message: {
      key: key.slice(0, CUT_LENGTH),
      headers: Object.fromEntries(cutHeaders) as typeof headers,
      value: value.slice(0, CUT_LENGTH),
    },
    reason: `${reason.slice(0, CUT_LENGTH)} ${note}`,
    isCut: true,
  }
}
