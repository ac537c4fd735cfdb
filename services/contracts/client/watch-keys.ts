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
  /** Between two questions for the keys, in milliseconds. */
  readonly checkMilliseconds?: number | undefined
}

/** How many letters are read at once: each can have 15 MB. */
const READ_AT_ONCE = 10

/**
 * Keeps the keys up to date, and handles messages that were set aside as their key was not known yet: no message of the
 * businesses service is lost while it can't be asked, and none waits for that.
 */
export function watchKeys({ keys, deadLetters, handle, checkMilliseconds = 5_000 }: WatchKeysOptions) {
  /** `keys.changes()` when letters were last handled; lower at first, for those that an earlier process has set aside. */
  let handled = -1

  /** One after the other, as they came. */
  async function handleLetters(): Promise<void> {
    for (let offset = 0; ; ) {
      const letters = await deadLetters.list(READ_AT_ONCE, offset)
      for (const letter of letters) {
        const isDue = letter.reason.startsWith(UNKNOWN_KEY) && keys.isKnown(letter.message)
        const isGone = isDue && (await replayLetter(letter, { deadLetters, replay: handle }))
        if (!isGone) offset += 1
      }
      if (letters.length < READ_AT_ONCE) return
    }
  }

  return repeat(async () => {
    if (!(await keys.refresh())) return
    const changes = keys.changes()
    if (changes > handled) await handleLetters()
    handled = changes
  }, checkMilliseconds)
}
