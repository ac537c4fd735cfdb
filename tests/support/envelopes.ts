import { published } from '../../services/businesses/published.ts'
import type { AuthoredEvent } from '../../shared/event-sourcing/event.ts'
import type { Database } from '../../shared/event-sourcing/ports/database.ts'
import type { Envelope } from '../../shared/events/envelope.ts'
import { createEnveloper, type EnveloperOptions } from '../../shared/events/enveloper.ts'
import { present } from './requests.ts'

/** For data whose authors aren't API keys. */
export const namesNobody = async (): Promise<null> => null

/** The envelope of an event that isn't its record's first, after which the record has this state. */
export async function envelopeAfter(
  event: AuthoredEvent,
  state: object,
  nameOf: EnveloperOptions['nameOf'] = namesNobody,
): Promise<Envelope> {
  const { version, at } = event
  const view: Database['view'] = (definition) =>
    ({ definition, get: async () => ({ state, version, at }), snapshot: async () => undefined }) as never
  const database = { view, events: {} as Database['events'] }
  const [envelope] = await createEnveloper({ database, published, nameOf })([event])
  return present(envelope)
}
