import { lagAt } from '../../shared/event-sourcing/lag.ts'
import type { Database } from '../../shared/event-sourcing/ports/database.ts'
import type { AnyViewDefinition } from '../../shared/event-sourcing/ports/view.ts'
import { codingStoreErrors } from '../../shared/event-sourcing/store-errors.ts'
import type { RelayService } from '../../shared/gen/mint/operations/v1/relay.ts'
import { createRecordServices, viewsOf } from '../../shared/kinds/record-services.ts'
import { createStatusService } from '../../shared/operations/status-service.ts'
import type { Logger } from '../../shared/runtime/log/logger.ts'
import { createBusinessesService } from './grpc/businesses-service.ts'
import { plainKinds } from './kinds.ts'
import { publishedBusinesses } from './published.ts'

/** The views that the service's database is opened with. */
export const businessesViews: readonly AnyViewDefinition[] = viewsOf(plainKinds)

export interface BusinessesAppOptions {
  readonly database: Database
  readonly clock: () => number
  readonly newId: () => string
  /** The settings by which the topic can lose messages, as far as known; none by default. */
  readonly topicProblems?: () => readonly string[]
  readonly logger: Logger
}

/** Assembles the businesses service on a database of any engine, opened with `businessesViews`. */
export function createBusinessesApp({
  database,
  clock,
  newId,
  topicProblems = () => [],
  logger,
}: BusinessesAppOptions) {
  const records = createRecordServices(plainKinds, { database, clock, newId, logger })
  return {
    ...records,
    businesses: createBusinessesService(records.businesses, database, logger),
    relay: codingStoreErrors<RelayService>(
      {
        async publishAgain() {
          await database.checkpoints.reset(publishedBusinesses.name)
          return {}
        },
      },
      logger,
    ),
    status: createStatusService({
      database: () => database,
      views: businessesViews,
      clock,
      logger,
      own: async () => ({ relay: await relayStatus(database, clock()), topicProblems: [...topicProblems()] }),
    }),
  }
}

async function relayStatus({ checkpoints, events }: Database, now: number) {
  const { name } = publishedBusinesses
  return { name, ...(await lagAt(events, await checkpoints.read(name), now)) }
}
