import type { ViewDefinition } from '../../../shared/event-sourcing/ports/view.ts'
import { foldWhole } from '../../../shared/event-sourcing/search-folding.ts'
import { createEventReader, foldWith } from '../../../shared/event-sourcing/upcasting.ts'
import type { ClientEvent } from './events.ts'
import { evolve, type FollowedClient, includes, rangeOf, without } from './evolve.ts'

const readEvent = createEventReader<ClientEvent>({
  'ClientRegistered.v1': true,
  'ClientRenamed.v1': true,
  'ClientRefreshed.v1': true,
  'ClientPastRecorded.v1': true,
})

/** Clients, those of the newest business first: filtered by business, name and last change, searched by name. */
export const clientsView: ViewDefinition<FollowedClient> = {
  name: 'clients',
  category: 'client',
  idOrder: 'text',
  createdAt: (client) => client.createdAt,
  filters: { businessId: (client) => client.businessId, name: (client) => foldWhole(client.displayName) },
  ranges: { updatedAt: (client) => client.updatedAt },
  searchTexts: [(client) => client.displayName],
  versions: {
    kind: 'labels',
    label: ({ recorded }) => recorded.displayName,
    // From when the business had the name, not from its delivery.
    since: ({ recorded }) => recorded.updatedAt,
    era: ({ registrations }) => registrations,
    number: ({ recorded }) => recorded.sourceVersion,
  },
  fold: foldWith(readEvent, evolve, [rangeOf, includes, without]),
}
