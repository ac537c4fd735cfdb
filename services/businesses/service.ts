import type { Database } from '../../shared/event-sourcing/ports/database.ts'
import type { AnyViewDefinition } from '../../shared/event-sourcing/ports/view.ts'
import { codingAll } from '../../shared/event-sourcing/store-errors.ts'
import { createRecordServices, viewsOf } from '../../shared/kinds/record-services.ts'
import { createRelayService, relayStatus } from '../../shared/operations/relay-service.ts'
import { createStatusService } from '../../shared/operations/status-service.ts'
import type { Logger } from '../../shared/runtime/log/logger.ts'
import { createBusinessesService } from './grpc/businesses-service.ts'
import { plainKinds } from './kinds.ts'

/** The views that the service's database is opened with. */
export const businessesViews: readonly AnyViewDefinition[] = viewsOf(plainKinds)

export interface BusinessesAppOptions {
  readonly database: Database
  readonly clock: () => number
  /** Settings that let the topic lose messages, as far as known; none by default. */
  readonly topicProblems?: () => readonly string[]
  readonly logger: Logger
}

/** Assembles the businesses service on a database of any engine, opened with `businessesViews`. */
export function createBusinessesApp({ database, clock, topicProblems = () => [], logger }: BusinessesAppOptions) {
  const records = createRecordServices(plainKinds, { database, clock })
  const services = {
    ...records,
    businesses: createBusinessesService(records.businesses, database),
    relay: createRelayService({ database, part: 'businesses' }),
    status: createStatusService({
      database: () => database,
      views: businessesViews,
      clock,
      logger,
      own: async () => ({
        relay: await relayStatus(database, 'businesses', clock()),
        topicProblems: [...topicProblems()],
      }),
    }),
  }
  return codingAll(services, logger)
}
