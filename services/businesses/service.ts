import type { Database } from '../../shared/event-sourcing/ports/database.ts'
import type { AnyViewDefinition } from '../../shared/event-sourcing/ports/view.ts'
import type { BusinessesService } from '../../shared/gen/mint/businesses/v1/businesses.ts'
import type { Logger } from '../../shared/logger.ts'
import { createBusinessCommands } from './business/commands.ts'
import { createBusinessQueries } from './business/queries.ts'
import { businessesView } from './business/view.ts'
import { createBusinessesService } from './grpc/businesses-service.ts'

/** What the service's database is opened with. */
export const businessesViews: readonly AnyViewDefinition[] = [businessesView]

export interface BusinessesAppParts {
  /** Opened with `businessesViews`. */
  readonly database: Database
  readonly clock: () => number
  readonly newId: () => string
  readonly logger: Logger
}

/** The whole businesses service, put together on whatever engine it is given. */
export function createBusinessesApp({ database, clock, newId, logger }: BusinessesAppParts): {
  readonly businesses: BusinessesService
} {
  const commands = createBusinessCommands({ database, clock, newId })
  return { businesses: createBusinessesService(commands, createBusinessQueries(database), logger) }
}
