import { MessageTooLarge } from './ports/topic.ts'

/**
 * Awaits a publication; false when one of its messages exceeds the topic's size limit, so that nothing was published.
 */
export async function fits(publishing: Promise<void>): Promise<boolean> {
  try {
    await publishing
    return true
  } catch (error) {
    if (error instanceof MessageTooLarge) return false
    throw error
  }
}
