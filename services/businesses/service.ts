import { lagAt } from '../../shared/event-sourcing/lag.ts'
import type { Database } from '../../shared/event-sourcing/ports/database.ts'
import type { AnyViewDefinition } from '../../shared/event-sourcing/ports/view.ts'
import { codingStoreErrors } from '../../shared/event-sourcing/store-errors.ts'
import type { RelayService } from '../../shared/gen/mint/operations/v1/relay.ts'
import { createStatusService } from '../../shared/operations/status-service.ts'
import type { Logger } from '../../shared/runtime/log/logger.ts'
import { type BusinessCommandsOptions, createBusinessCommands } from './business/commands.ts'
import { createBusinessQueries } from './business/queries.ts'
import { businessesView } from './business/view.ts'
import { createBusinessesService } from './grpc/businesses-service.ts'
import { publishedBusinesses } from './published-events.ts'

/** The views that the service's database is opened with. */
export const businessesViews: readonly AnyViewDefinition[] = [businessesView]

export interface BusinessesAppOptions extends BusinessCommandsOptions {
  /** The settings by which the topic can lose messages, as far as known; none by default. */
  readonly topicProblems?: () => readonly string[]
  readonly logger: Logger
}

/** Assembles the businesses service on a database of any engine, opened with `businessesViews`. */
export function createBusinessesApp({ logger, topicProblems = () => [], ...options }: BusinessesAppOptions) {
  const { database, clock } = options
  const queries = createBusinessQueries(database)
  return {
    businesses: createBusinessesService(createBusinessCommands(options), queries, logger),
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
