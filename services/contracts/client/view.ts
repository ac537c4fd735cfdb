import type { ViewDefinition } from '../../../shared/event-sourcing/ports/view.ts'
import { foldForSearch } from '../../../shared/event-sourcing/search-folding.ts'
import { createEventReader, foldWith } from '../../../shared/event-sourcing/upcasting.ts'
import type { ClientEvent } from './events.ts'
import { type Client, evolve } from './evolve.ts'

const readEvent = createEventReader<ClientEvent>({
  'ClientRegistered.v1': true,
  'ClientRenamed.v1': true,
  'ClientRefreshed.v1': true,
})

/** Clients by clientId, those of the newest business first, found by business, name and last change. */
export const clientsView: ViewDefinition<Client> = {
  name: 'clients',
  category: 'client',
  idOrder: 'text',
  createdAt: (client) => client.createdAt,
  filters: { businessId: (client) => client.businessId, name: (client) => foldForSearch(client.displayName) },
  ranges: { updatedAt: (client) => client.updatedAt },
  searchTexts: [(client) => client.displayName],
  // From when the business had the name, not from its delivery.
  versions: { kind: 'labels', label: (client) => client.displayName, since: (client) => client.updatedAt },
  fold: foldWith(readEvent, evolve),
}
