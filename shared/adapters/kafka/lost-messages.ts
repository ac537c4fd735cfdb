import { sharingRuns } from '../../async/shared-runs.ts'
import type { Logger } from '../../runtime/log/logger.ts'
import { withAdmin } from './client.ts'
import { readOffsets, type TopicStateOptions } from './topic-state.ts'

export interface LostMessagesOptions extends TopicStateOptions {
  /** Requests that everything be published again. Rejects while that isn't possible. */
  readonly publishAgain: () => Promise<unknown>
  readonly logger: Logger
}

/**
 * Detects messages that the topic no longer has and the group has not handled, because its retention is limited or
 * somebody deleted them. The driver would silently continue with the first message that is left. The returned function
 * requests that everything be published again, once per loss, and rejects if it can't.
 */
export function createLossRecovery({ kafka, topic, groupId, publishAgain, logger }: LostMessagesOptions) {
  /** The sum of the partitions' first offsets when the last loss was detected, so that it counts only once. */
  let trimmedAtLoss = 0
  /** Whether everything must still be published again, even if the consumer has moved past the loss meanwhile. */
  let mustPublish = false
  const recover = async (): Promise<void> => {
    const partitions = await withAdmin(kafka, (admin) => readOffsets(admin, topic, groupId))
    const lost = sum(partitions.map(({ low, reached }) => Math.max(0, low - reached)))
    const trimmed = sum(partitions.map(({ low }) => low))
    if (lost === 0) trimmedAtLoss = 0
    else if (trimmed > trimmedAtLoss) {
      trimmedAtLoss = trimmed
      mustPublish = true
      logger.warn(
        { topic, lost },
        'messages were deleted from the topic before they were handled: publishing all again',
      )
    }
    if (!mustPublish) return
    await publishAgain()
    mustPublish = false
  }
  return sharingRuns(recover).join
}

const sum = (counts: readonly number[]): number => counts.reduce((total, count) => total + count, 0)
