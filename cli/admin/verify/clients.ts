import type { Business } from '../../../services/businesses/business/evolve.ts'
import { businessesView } from '../../../services/businesses/business/kind.ts'
import type { FollowedClient } from '../../../services/contracts/client/evolve.ts'
import { clientsView } from '../../../services/contracts/client/view.ts'
import type { Position } from '../../../shared/event-sourcing/event.ts'
import type { ViewCopy } from '../../../shared/event-sourcing/ports/inspection.ts'
import type { ViewRow } from '../../../shared/event-sourcing/ports/view.ts'

const REMEDY = 'cli/mint relay replay repairs it'

export type ClientCheck = ReturnType<typeof createClientCheck>

/**
 * Checks each version of Clients, as the log of contracts has them, against the log of businesses, which must be read
 * later: it then has everything that Clients received. `delivered`: the position in it that Clients must have reached.
 */
export function createClientCheck(contracts: ViewCopy, delivered: Position) {
  /** By clientId: how Clients lag behind, and what else is wrong with them. */
  const [late, wrong] = [new Map<string, string>(), new Map<string, string>()]
  return {
    /** Call it for each version of each business. */
    onVersion({ version, state }: ViewRow, position: Position): void {
      const { id, clientId, operatedAs, createdAt, updatedAt } = state as Business
      const client = contracts.row(clientsView, clientId)?.state
      if (client === undefined || client.sourceVersion < version) {
        const reached = client && `it is at version ${client.sourceVersion} of its business, not at ${version}`
        if (position <= delivered) late.set(clientId, `${reached ?? 'it is missing'}: ${REMEDY}`)
        return
      }
      // What was recorded before its latest registration may be wrong.
      const recorded = contracts.label(clientsView, clientId, { era: client.registrations, number: version })
      const isTrue =
        recorded === undefined ||
        (client.businessId === id &&
          client.createdAt === createdAt &&
          recorded.label === operatedAs &&
          recorded.since === updatedAt)
      if (!isTrue) wrong.set(clientId, notLikeThis(client, version))
    },
    /** What is wrong, by clientId, once all businesses are in their copy. */
    finish(businesses: ViewCopy): ReadonlyMap<string, string> {
      for (const { id, state: client } of contracts.rows(clientsView)) {
        const { businessId, sourceVersion, missing } = client
        const business = businesses.row(businessesView, businessId)
        if (business?.state.clientId !== id || business.version < sourceVersion) {
          wrong.set(id, notLikeThis(client, sourceVersion))
        } else if (missing.length > 0 && !wrong.has(id)) {
          const ranges = missing.map(({ from, to }) => (from === to ? `${from}` : `${from} to ${to}`)).join(', ')
          const names = `its names at versions ${ranges} of its business are missing`
          wrong.set(id, `${names}: cli/mint relay replay completes them`)
        }
      }
      return new Map([...late, ...wrong])
    },
  }
}

function notLikeThis({ businessId, sourceVersion }: FollowedClient, version: number): string {
  const claimed = `no business ${businessId} with this clientId was like this at version ${version}`
  return version === sourceVersion ? `${claimed}: ${REMEDY}, if the business exists` : claimed
}
