import type { Database } from '../event-sourcing/ports/database.ts'
import { codingStoreErrors } from '../event-sourcing/store-errors.ts'
import { createSigningKeys } from '../events/signing-keys.ts'
import type { RelayService } from '../gen/mint/operations/v1/relay.ts'
import type { Logger } from '../runtime/log/logger.ts'

export interface RelayServiceOptions {
  readonly database: Database
  /** The name of the relay's checkpoint. */
  readonly relay: string
  readonly logger: Logger
}

/** mint.operations.v1.RelayService. */
export function createRelayService({ database, relay, logger }: RelayServiceOptions): RelayService {
  const signingKeys = createSigningKeys(database)
  const service: RelayService = {
    async publishAgain() {
      await database.checkpoints.reset(relay)
      return {}
    },
    getSigningKeys: async () => ({ keys: [...(await signingKeys.publicKeys())] }),
  }
  return codingStoreErrors(service, logger)
}
