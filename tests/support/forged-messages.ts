import type { AskedBusinesses } from '../../services/contracts/client/asked-businesses.ts'
import { readBusinessMessage } from '../../services/contracts/client/business-message.ts'
import { createBusinessesFollower } from '../../services/contracts/client/follow-businesses.ts'
import type { Database } from '../../shared/event-sourcing/ports/database.ts'
import type { TopicMessage } from '../../shared/event-sourcing/ports/topic.ts'
import { quietLogger } from './quiet-logger.ts'

/** The message with other fields in its value. */
export const withValue = (message: TopicMessage, changes: object): TopicMessage => ({
  ...message,
  value: JSON.stringify({ ...JSON.parse(message.value), ...changes }),
})

/** What a version of Mint that believed every message made of these. */
export async function believe(database: Database, messages: readonly TopicMessage[]): Promise<void> {
  for (const message of messages) {
    const read = readBusinessMessage(message)
    if (read.type === 'not-understood') throw new Error(read.reason)
    const says = async () => read.business
    const businesses = { atVersion: says, byId: says, byClientId: says } as unknown as AskedBusinesses
    const follow = createBusinessesFollower({ database, businesses, clock: Date.now, topic: '', logger: quietLogger() })
    await follow([message])
  }
}
