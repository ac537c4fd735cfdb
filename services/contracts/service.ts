import type { Database } from '../../shared/event-sourcing/ports/database.ts'
import type { AnyViewDefinition } from '../../shared/event-sourcing/ports/view.ts'
import type { Logger } from '../../shared/runtime/log/logger.ts'
import { BUSINESSES_TOPIC } from '../../shared/runtime/settings/topic-names.ts'
import { type AskableBusinesses, askBusinesses } from './client/asked-businesses.ts'
import { createClientRefusal } from './client/client-refusal.ts'
import { createBusinessesFollower } from './client/follow-businesses.ts'
import { createClientQueries } from './client/queries.ts'
import { clientsView } from './client/view.ts'
import { createContractCommands } from './contract/commands.ts'
import { createContractQueries } from './contract/queries.ts'
import { contractsView } from './contract/view.ts'
import { createClientsService } from './grpc/clients-service.ts'
import { createContractsService } from './grpc/contracts-service.ts'
import { createReportsService } from './grpc/reports-service.ts'
import { createReportQueries } from './report/queries.ts'

/** What the service's database is opened with. */
export const contractsViews: readonly AnyViewDefinition[] = [contractsView, clientsView]

export interface ContractsAppParts {
  /** Opened with `contractsViews`. */
  readonly database: Database
  /** Asked whose a clientId is, what its business is now, and whether it is the id of a business. */
  readonly businesses: AskableBusinesses
  readonly clock: () => number
  /** Whether contracts are refused for a client that nobody knows. */
  readonly requireKnownClient: boolean
  /** The name of the businesses topic where it is not the usual one. */
  readonly topic?: string
  readonly logger: Logger
}

/** The whole contracts service, put together on whatever engine and transport it is given. */
export function createContractsApp(parts: ContractsAppParts) {
  const { database, clock, requireKnownClient, topic = BUSINESSES_TOPIC, logger } = parts
  const asking = { view: database.view(clientsView), businesses: askBusinesses(parts.businesses), logger }
  const clients = createClientQueries(asking)
  const findClientRefusal = createClientRefusal(asking, requireKnownClient)
  const commands = createContractCommands({ database, clock, findClientRefusal })
  return {
    contracts: createContractsService(commands, createContractQueries(database), logger),
    clients: createClientsService(clients, logger),
    reports: createReportsService(createReportQueries(database, clock), logger),
    /** For the consumer of the businesses topic. */
    handleBusinessEvents: createBusinessesFollower({ database, businesses: asking.businesses, clock, topic, logger }),
  }
}
