import type { DeadLetter, DeadLetters } from '../../../shared/event-sourcing/ports/dead-letters.ts'
import { identityOf } from '../../../shared/event-sourcing/ports/dead-letters.ts'
import { MessageTooLarge, type TopicHandler } from '../../../shared/event-sourcing/ports/topic.ts'
import { isCut } from './cut-letter.ts'

/** Identifies a letter for people: 12 hexadecimal digits. */
export const idOf = (letter: DeadLetter): string => identityOf(letter).slice(0, 12)

/**
 * Publishes or handles a letter's message again, and only then removes the letter: if interrupted in between, the next
 * replay does it once more, which changes nothing in Clients. A letter that comes back meanwhile has a new time, and
 * stays. False if it stays because it is too large: only its beginning was set aside, or it exceeds the topic's size
 * limit with the headers added on publication.
 */
export async function replayLetter(
  letter: DeadLetter,
  { deadLetters, replay }: { readonly deadLetters: Pick<DeadLetters, 'remove'>; readonly replay: TopicHandler },
): Promise<boolean> {
  if (isCut(letter)) return false
  try {
    await replay([letter.message])
  } catch (error) {
    if (error instanceof MessageTooLarge) return false
    throw error
  }
  await deadLetters.remove(letter)
  return true
}
