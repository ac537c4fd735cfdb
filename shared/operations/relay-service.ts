import { lagAt } from '../event-sourcing/lag.ts'
import type { Database } from '../event-sourcing/ports/database.ts'
import { createSigningKeys } from '../events/signing-keys.ts'
import type { RelayService } from '../gen/mint/operations/v1/relay.ts'
import type { ServicePart } from '../kinds/kind.ts'
import { relayOf } from '../runtime/settings/topic-names.ts'

export interface RelayServiceOptions {
  readonly database: Database
  readonly part: ServicePart
}

/** mint.operations.v1.RelayService. */
export function createRelayService({ database, part }: RelayServiceOptions): RelayService {
  const signingKeys = createSigningKeys(database)
  return {
    async publishAgain() {
      await database.checkpoints.reset(relayOf(part))
      return {}
    },
    getSigningKeys: async () => ({ keys: [...(await signingKeys.publicKeys())] }),
  }
}

/** The position and lag of a service's relay; `now`: milliseconds since the epoch. Throws StoreUnavailable. */
export async function relayStatus({ checkpoints, events }: Database, part: ServicePart, now: number) {
  const name = relayOf(part)
  return { name, ...(await lagAt(events, await checkpoints.read(name), now)) }
}
