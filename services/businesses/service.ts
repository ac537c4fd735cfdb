import type { AnyViewDefinition } from '../../shared/event-sourcing/ports/view.ts'
import type { Logger } from '../../shared/runtime/log/logger.ts'
import { type BusinessCommandsParts, createBusinessCommands } from './business/commands.ts'
import { createBusinessQueries } from './business/queries.ts'
import { businessesView } from './business/view.ts'
import { createBusinessesService } from './grpc/businesses-service.ts'

/** The views that the service's database is opened with. */
export const businessesViews: readonly AnyViewDefinition[] = [businessesView]

export interface BusinessesAppParts extends BusinessCommandsParts {
  readonly logger: Logger
}

/** Assembles the businesses service on a database of any engine, opened with `businessesViews`. */
export function createBusinessesApp({ logger, ...parts }: BusinessesAppParts) {
  const queries = createBusinessQueries(parts.database)
  return { businesses: createBusinessesService(createBusinessCommands(parts), queries, logger) }
}
