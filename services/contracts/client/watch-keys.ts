import { repeat } from '../../../shared/async/repeat.ts'
import type { DeadLetters } from '../../../shared/event-sourcing/ports/dead-letters.ts'
import type { TopicHandler } from '../../../shared/event-sourcing/ports/topic.ts'
import { type BusinessesKeys, UNKNOWN_KEY } from './businesses-keys.ts'
import { replayLetter } from './dead-letters.ts'

export interface WatchKeysOptions {
  readonly keys: BusinessesKeys
  readonly deadLetters: DeadLetters
  /** Handles messages as the consumer of the topic does. */
  readonly handle: TopicHandler
  /** How often the keys are fetched. */
  readonly checkMilliseconds?: number | undefined
}

/** How many letters are read at once: each can have 15 MB. */
const LETTERS_PER_READ = 10

/**
 * Keeps the keys up to date, and then handles messages that were set aside because their key was unknown. So while the
 * businesses service can't be reached, none of its messages is lost, and none blocks the others.
 */
export function watchKeys({ keys, deadLetters, handle, checkMilliseconds = 5_000 }: WatchKeysOptions) {
  /** `keys.changes()` when letters were last handled; lower at first, to include those that an earlier process set aside. */
  let handled = -1

  /** One after the other, oldest first. */
  async function handleLetters(): Promise<void> {
    for (let offset = 0; ; ) {
      const letters = await deadLetters.list(LETTERS_PER_READ, offset)
      for (const letter of letters) {
        const isDue = letter.reason.startsWith(UNKNOWN_KEY) && keys.isKnown(letter.message)
        const isGone = isDue && (await replayLetter(letter, { deadLetters, handle }))
        if (!isGone) offset += 1
      }
      if (letters.length < LETTERS_PER_READ) return
    }
  }

  return repeat(async () => {
    if (!(await keys.refresh())) return
    const changes = keys.changes()
    if (changes > handled) await handleLetters()
    handled = changes
  }, checkMilliseconds)
}
