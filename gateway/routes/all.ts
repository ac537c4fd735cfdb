import type { ApiKeyAdministration } from '../../shared/api-keys/administration.ts'
import type { BusinessesService } from '../../shared/gen/mint/businesses/v1/businesses.ts'
import type { ClientsService } from '../../shared/gen/mint/contracts/v1/clients.ts'
import type { ClosingService } from '../../shared/gen/mint/contracts/v1/closing.ts'
import type { ContractsService } from '../../shared/gen/mint/contracts/v1/contracts.ts'
import type { DeadLettersService } from '../../shared/gen/mint/contracts/v1/dead_letters.ts'
import type { ReportsService } from '../../shared/gen/mint/contracts/v1/reports.ts'
import type { StatusService } from '../../shared/gen/mint/operations/v1/status.ts'
import type { Readiness } from '../../shared/runtime/process/readiness.ts'
import { apiKeyRoutes } from './api-keys.ts'
import type { KeyNames } from './authors.ts'
import { businessRoutes } from './businesses.ts'
import { clientRoutes } from './clients.ts'
import { closingRoutes } from './closing.ts'
import { consoleRoutes } from './console.ts'
import { contractRoutes } from './contracts.ts'
import { documentationRoutes } from './documentation.ts'
import type { Route } from './endpoint.ts'
import { healthRoute, readyRoute } from './health.ts'
import { operationsRoutes } from './operations.ts'
import type { PublicRoute } from './public.ts'
import { reportRoutes } from './reports.ts'

/** What the routes call. */
export interface RouteDependencies {
  readonly contracts: ContractsService
  readonly clients: ClientsService
  readonly closing: ClosingService
  readonly reports: ReportsService
  readonly deadLetters: DeadLettersService
  readonly businesses: BusinessesService
  readonly contractsStatus: StatusService
  readonly businessesStatus: StatusService
  /** Of the gateway's own data: the API keys. */
  readonly gatewayStatus: StatusService
  /** Gives the authors of events their names. */
  readonly apiKeys: KeyNames
  /** Administers keys; throws StoreUnavailable while the gateway's database is not open. */
  readonly keyAdministration: () => ApiKeyAdministration
  /** Whether everything the gateway needs is available now; served at `/readyz`. */
  readonly readiness: () => Promise<Readiness>
}

/** Every path of the gateway: those that need a key and those that don't, including the document that lists them. */
export function allRoutes(dependencies: RouteDependencies): {
  readonly withKey: readonly Route[]
  readonly withoutKey: readonly PublicRoute[]
} {
  const { contracts, clients, closing, reports, businesses, apiKeys, keyAdministration, readiness } = dependencies
  const withKey = [
    ...contractRoutes(contracts, clients, apiKeys),
    ...businessRoutes(businesses, apiKeys),
    ...clientRoutes(clients),
    ...closingRoutes(closing, apiKeys),
    ...reportRoutes(reports, apiKeys),
    ...apiKeyRoutes(keyAdministration),
    ...operationsRoutes(dependencies),
  ]
  const withoutKey = [healthRoute, readyRoute(readiness), ...consoleRoutes()]
  return { withKey, withoutKey: [...withoutKey, ...documentationRoutes(withKey, withoutKey)] }
}
