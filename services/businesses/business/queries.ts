import { stateAt } from '../../../shared/event-sourcing/past-states.ts'
import type { Database } from '../../../shared/event-sourcing/ports/database.ts'
import type { Versioned } from '../../../shared/event-sourcing/ports/view.ts'
import type { Business } from './evolve.ts'
import { businessesView } from './view.ts'

export type BusinessQueries = ReturnType<typeof createBusinessQueries>

/** What can be asked about businesses beyond any kind of record; ids must be in lower case. Throws StoreUnavailable. */
export function createBusinessQueries({ events, view: viewOf }: Pick<Database, 'events' | 'view'>) {
  const view = viewOf(businessesView)
  return {
    /** The state at a version; undefined if the business has not reached it, or does not exist. */
    async findVersion(id: string, version: number): Promise<Versioned<Business> | undefined> {
      const now = await view.get(id)
      if (now === undefined || now.version <= version) return now?.version === version ? now : undefined
      const state = await stateAt({ events, view }, id, version)
      return { state, version, at: state.updatedAt }
    },
    /** The business with this clientId. */
    async findByClientId(clientId: string): Promise<Versioned<Business> | undefined> {
      const { rows } = await view.list({ where: { clientId }, search: '', limit: 1, offset: 0, withoutTotal: true })
      return rows[0]
    },
  }
}
