import type { Timed } from '../../../shared/event-sourcing/event.ts'
import { type BusinessEvent, type BusinessFields, businessDefaults } from './events.ts'

/** A business folded from its events; times in milliseconds since the epoch. */
export interface Business extends BusinessFields {
  readonly id: string
  readonly clientId: string
  readonly createdAt: number
  readonly updatedAt: number
}

/** Applies one event. Throws when an edit precedes the creation, which means that the log is damaged. */
export function evolve(business: Business | undefined, event: Timed<BusinessEvent>): Business {
  switch (event.type) {
    case 'BusinessCreated.v1':
      return { ...businessDefaults, ...event.data, createdAt: event.at, updatedAt: event.at }
    case 'BusinessEdited.v1':
      if (business === undefined) throw new Error('A business was edited before it was created.')
      return { ...business, ...event.data, updatedAt: event.at }
  }
}
