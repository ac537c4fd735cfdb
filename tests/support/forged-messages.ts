import { readBusinessMessage } from '../../services/contracts/client/business-message.ts'
import { type BusinessAtVersion, clientOf } from '../../services/contracts/client/decide.ts'
import type { ClientEvent } from '../../services/contracts/client/events.ts'
import { type Client, evolve, type FollowedClient } from '../../services/contracts/client/evolve.ts'
import { clientsView } from '../../services/contracts/client/view.ts'
import { toCommandContext } from '../../shared/event-sourcing/command-context.ts'
import { createCommandHandler } from '../../shared/event-sourcing/command-handler.ts'
import type { Database } from '../../shared/event-sourcing/ports/database.ts'
import type { TopicMessage } from '../../shared/event-sourcing/ports/topic.ts'

/** The message with these fields replaced in its value. */
export const withValue = (message: TopicMessage, changes: object): TopicMessage => ({
  ...message,
  value: JSON.stringify({ ...JSON.parse(message.value), ...changes }),
})

/** Writes what an old Mint, which trusted every message and skipped versions, stored for these messages. */
export async function believe(database: Database, messages: readonly TopicMessage[]): Promise<void> {
  const decide = (client: FollowedClient | undefined, business: BusinessAtVersion) =>
    ({ type: 'accepted', events: decidedEarlier(client, business) }) as const
  const decider = { decide, evolve }
  const view = database.view(clientsView)
  const handler = createCommandHandler({ events: database.events, view, decider, clock: Date.now })
  for (const message of messages) {
    const read = readBusinessMessage(message)
    if (read.type === 'refused') throw new Error(read.reason)
    const { business } = read
    await handler.change({ id: business.clientId, command: () => business }, toCommandContext(undefined))
  }
}

/** As Mint 0.2 did: it accepted any newer version. */
export function decidedEarlier(client: Client | undefined, business: BusinessAtVersion): readonly ClientEvent[] {
  const { version: sourceVersion, operatedAs: displayName, updatedAt } = business
  if (client?.businessId !== business.id || client.createdAt !== business.createdAt)
    return [{ type: 'ClientRegistered.v1', data: clientOf(business) }]
  if (sourceVersion <= client.sourceVersion) return []
  return displayName === client.displayName
    ? [{ type: 'ClientRefreshed.v1', data: { sourceVersion, updatedAt } }]
    : [{ type: 'ClientRenamed.v1', data: { displayName, sourceVersion, updatedAt } }]
}
