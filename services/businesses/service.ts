import type { AnyViewDefinition } from '../../shared/event-sourcing/ports/view.ts'
import type { Logger } from '../../shared/runtime/log/logger.ts'
import { type BusinessCommandsOptions, createBusinessCommands } from './business/commands.ts'
import { createBusinessQueries } from './business/queries.ts'
import { businessesView } from './business/view.ts'
import { createBusinessesService } from './grpc/businesses-service.ts'

/** The views that the service's database is opened with. */
export const businessesViews: readonly AnyViewDefinition[] = [businessesView]

export interface BusinessesAppOptions extends BusinessCommandsOptions {
  readonly logger: Logger
}

/** Assembles the businesses service on a database of any engine, opened with `businessesViews`. */
export function createBusinessesApp({ logger, ...options }: BusinessesAppOptions) {
  const queries = createBusinessQueries(options.database)
  return { businesses: createBusinessesService(createBusinessCommands(options), queries, logger) }
}
