import { apiKeyRoutes } from './api-keys.ts'
import { clientRoutes } from './clients.ts'
import { closingRoutes } from './closing.ts'
import { consoleRoutes } from './console.ts'
import type { RouteDependencies } from './dependencies.ts'
import { documentationRoutes } from './documentation.ts'
import { eventRoutes } from './events.ts'
import { firmRoutes } from './firm.ts'
import { healthRoute, readyRoute } from './health.ts'
import { mcpRoute } from './mcp.ts'
import { operationsRoutes } from './operations.ts'
import { proposalRoutes } from './proposals.ts'
import type { AnyRoute } from './public.ts'
import { recordRoutes } from './records.ts'
import { reportRoutes } from './reports.ts'
import { signInRoutes } from './sign-in.ts'
import { signingKeysRoute } from './signing-keys.ts'
import { webhookRoutes } from './webhooks.ts'
import { wellKnownRoutes } from './well-known.ts'

/** Every path of the gateway, including the document that lists them. */
export function allRoutes(dependencies: RouteDependencies): readonly AnyRoute[] {
  const routes = [
    ...recordRoutes(dependencies),
    ...clientRoutes,
    ...closingRoutes,
    ...firmRoutes,
    ...proposalRoutes,
    ...reportRoutes,
    ...eventRoutes,
    ...apiKeyRoutes,
    ...signInRoutes,
    ...webhookRoutes(dependencies.webhooksByHttp),
    ...operationsRoutes,
  ]
  const documented = [
    ...routes,
    mcpRoute(routes, dependencies.pageHosts),
    healthRoute,
    readyRoute(dependencies.readiness),
    signingKeysRoute(dependencies),
    ...consoleRoutes(),
    ...wellKnownRoutes(dependencies),
  ]
  return [...documented, ...documentationRoutes(documented)]
}
