import type { Timed } from '../../../shared/event-sourcing/event.ts'
import type { ClientAsOfBusiness, ClientEvent, ClientIdentity } from './events.ts'

/**
 * A client, folded from its events. All times are those of the business, never those of the delivery, so that every
 * order of delivery ends in the same client.
 */
export interface Client extends ClientIdentity, ClientAsOfBusiness {
  readonly displayName: string
}

/** Applies one event. Throws when anything comes before the registration: the log is then damaged. */
export function evolve(client: Client | undefined, event: Timed<ClientEvent>): Client {
  switch (event.type) {
    case 'ClientRegistered.v1':
      return event.data
    case 'ClientRenamed.v1':
    case 'ClientRefreshed.v1':
      if (client === undefined) throw new Error('A client was changed before it was registered.')
      return { ...client, ...event.data }
  }
}
