import { toCommandContext } from '../../../shared/event-sourcing/command-context.ts'
import { createCommandHandler } from '../../../shared/event-sourcing/command-handler.ts'
import type { Database } from '../../../shared/event-sourcing/ports/database.ts'
import type { TopicHandler, TopicMessage } from '../../../shared/event-sourcing/ports/topic.ts'
import type { Logger } from '../../../shared/logger.ts'
import { readBusinessMessage } from './business-message.ts'
import { cutToFit } from './cut-letter.ts'
import { decide } from './decide.ts'
import { evolve } from './evolve.ts'
import { clientsView } from './view.ts'

export interface FollowBusinessesParts {
  readonly database: Database
  readonly clock: () => number
  /** The name of the topic that the messages come from: dead letters say it. */
  readonly topic: string
  readonly logger: Logger
}

/**
 * Each message becomes a command on its client, with a commitId made from the event’s source and id; keys side by side,
 * the messages of one in order. One that can’t be understood is set aside. Throws, to get the messages again, when the
 * store is away.
 */
export function createBusinessesFollower({ database, clock, topic, logger }: FollowBusinessesParts): TopicHandler {
  const view = database.view(clientsView)
  const handler = createCommandHandler({ events: database.events, view, decider: { decide, evolve }, clock })

  async function follow(message: TopicMessage): Promise<void> {
    const read = readBusinessMessage(message)
    if (read.type === 'not-understood') return await setAside(message, read.reason)
    const { id, source, business } = read
    const context = toCommandContext({ actor: source, requestId: id, commitId: `${source} ${id}` })
    const command = () => ({ type: 'follow-business', business }) as const
    const outcome = await handler.change({ id: business.clientId, command }, context)
    if (outcome.type === 'rejected') {
      await setAside(message, `Client ${business.clientId} is business ${outcome.rejection.businessId} already.`)
    }
  }

  async function setAside(message: TopicMessage, reason: string): Promise<void> {
    logger.warn({ key: message.key, reason }, 'a message was set aside')
    await database.deadLetters.add(cutToFit({ topic, message, reason, at: clock() }))
  }

  async function followInOrder(messages: readonly TopicMessage[]): Promise<void> {
    for (const message of messages) await follow(message)
  }

  return async (messages) => {
    const byKey = Map.groupBy(messages, ({ key }) => key)
    // Every key is waited for, so that none is still at work when the messages come again.
    const results = await Promise.allSettled([...byKey.values()].map(followInOrder))
    const failed = results.find((result) => result.status === 'rejected')
    if (failed !== undefined) throw failed.reason
  }
}
