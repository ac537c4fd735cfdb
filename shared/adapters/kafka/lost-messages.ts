import type { Kafka } from 'kafkajs'
import { sharingRuns } from '../../async/shared-runs.ts'
import type { Logger } from '../../runtime/log/logger.ts'
import { withAdmin } from './with-admin.ts'

export interface LostMessagesOptions {
  readonly kafka: Kafka
  readonly topic: string
  readonly groupId: string
  /** Has everything published again. Rejects while that isn't possible. */
  readonly publishAgain: () => Promise<unknown>
  readonly logger: Logger
}

/**
 * Finds messages that the topic no longer has and the group has not handled: its retention is limited, or somebody
 * deleted them. The driver would continue with the first message that is left, without a word. The returned function
 * has everything published again, once for what is lost, and rejects if it can't.
 */
export function createLossRecovery({ kafka, topic, groupId, publishAgain, logger }: LostMessagesOptions) {
  /** Up to where the partitions were trimmed, added up, when the loss was noticed: while it lasts, it counts once. */
  let noticed = 0
  /** Whether everything must still be published again, even if the consumer has moved past the loss meanwhile. */
  let isOwed = false
  const recover = async (): Promise<void> => {
    const { lost, trimmed } = await withAdmin(kafka, async (admin) => {
      // Committed offsets last: what is handled meanwhile must not look lost.
      const offsets = await admin.fetchTopicOffsets(topic)
      const [committed] = await admin.fetchOffsets({ groupId, topics: [topic] })
      const reached = new Map(committed?.partitions.map(({ partition, offset }) => [partition, Number(offset)]))
      const missing = offsets.map(({ partition, low }) => Number(low) - Math.max(0, reached.get(partition) ?? 0))
      return {
        lost: sum(missing.map((count) => Math.max(0, count))),
        trimmed: sum(offsets.map(({ low }) => Number(low))),
      }
    })
    if (lost === 0) noticed = 0
    else if (trimmed > noticed) {
      noticed = trimmed
      isOwed = true
      logger.warn(
        { topic, lost },
        'messages were deleted from the topic before they were handled: publishing all again',
      )
    }
    if (!isOwed) return
    await publishAgain()
    isOwed = false
  }
  return sharingRuns(recover).join
}

const sum = (counts: readonly number[]): number => counts.reduce((total, count) => total + count, 0)
