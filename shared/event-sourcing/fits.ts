import { MessageTooLarge } from './ports/topic.ts'

/** Waits for a publication; false when a message of it is larger than its topic takes, so that nothing was published. */
export async function fits(publishing: Promise<void>): Promise<boolean> {
  try {
    await publishing
    return true
  } catch (error) {
    if (error instanceof MessageTooLarge) return false
    throw error
  }
}
