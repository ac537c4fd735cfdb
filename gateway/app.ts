import type { Server } from 'node:http'
import express, { type ErrorRequestHandler, type Express, type RequestHandler } from 'express'
import type { Logger } from '../shared/logger.ts'
import type { AnsweredRequest } from '../shared/metrics/http-metrics.ts'
import { createServer } from '../shared/node-http.ts'
import type { ApiKeys } from './auth/api-keys.ts'
import { createRecentSecrets } from './auth/recent-secrets.ts'
import { bornForExpress } from './born-for-express.ts'
import { answerConnectionErrors } from './http/connection-errors.ts'
import { endTogether } from './http/end-together.ts'
import { checkTarget, openExchange } from './http/exchange.ts'
import { observeAnswer } from './http/observe-answer.ts'
import { sendProblem } from './http/respond.ts'
import { ProblemError } from './problem.ts'
import { createRateLimit } from './rate-limit.ts'
import { allRoutes, type RouteDependencies } from './routes/all.ts'
import type { Route } from './routes/endpoint.ts'
import { servePublic } from './routes/public.ts'
import { createRouteTable } from './routes/route-table.ts'
import { type Serving, serve } from './routes/serve.ts'

/** Everything the gateway needs. It doesn't know whether the services are in this process or behind a transport. */
export interface GatewayOptions extends RouteDependencies {
  readonly apiKeys: ApiKeys
  readonly rateLimitPerSecond: number
  /** Milliseconds since the epoch. */
  readonly clock: () => number
  readonly newId: () => string
  readonly logger: Logger
  readonly timeouts?: Partial<Timeouts>
  /** Told of every request once it is answered. */
  readonly onAnswered?: (request: AnsweredRequest) => void
}

/** All in milliseconds. */
export interface Timeouts {
  /** For a service to answer. */
  readonly service: number
  /** For the headers of a request to arrive. */
  readonly headers: number
  /** For its body to arrive. */
  readonly body: number
}

/** The gateway's server, not listening yet. */
export function createGateway(options: GatewayOptions): Server {
  const timeouts = { ...TIMEOUTS, ...options.timeouts }
  const recentSecrets = createRecentSecrets()
  const serving: Serving = {
    apiKeys: options.apiKeys,
    recentSecrets,
    rateLimit: createRateLimit(options.rateLimitPerSecond),
    clock: options.clock,
    logger: options.logger,
    end: endTogether(),
    deadlineMilliseconds: timeouts.service,
    bodyMilliseconds: timeouts.body,
  }
  const app = createApp(options, serving)
  const server = createServer(
    {
      headersTimeout: timeouts.headers,
      // Only for bodies that nobody reads: the gateway answers a slow one before.
      requestTimeout: timeouts.headers + 2 * timeouts.body,
      connectionsCheckingInterval: Math.min(1_000, timeouts.headers / 2),
      keepAliveTimeout: 60_000,
      requireHostHeader: false,
      ...bornForExpress(app),
    },
    app,
  )
  // Beyond this number Node would drop headers without a word, the key among them; the gateway refuses them instead.
  server.maxHeadersCount = 0
  // Without these two Node answers `Expect` by itself; the body is asked for only once the checks before it passed.
  server.on('checkContinue', app)
  server.on('checkExpectation', app)
  server.on('close', recentSecrets.stop)
  answerConnectionErrors(server, options.newId)
  return server
}

const TIMEOUTS: Timeouts = { service: 5_000, headers: 10_000, body: 20_000 }

function createApp(options: GatewayOptions, serving: Serving): Express {
  const { withKey, withoutKey } = allRoutes(options)
  const app = express()
  app.disable('x-powered-by').disable('etag').enable('case sensitive routing').enable('strict routing')
  app.set('query parser', false)
  app.use(serveApi(withKey, serving, options))
  for (const route of withoutKey) app.route(route.path).all(servePublic(route))
  app.use(() => {
    throw new ProblemError('route_not_found')
  })
  app.use(endWithProblem(serving))
  return app
}

/** Opens the exchange, and serves it when the path is one of the API's; what is left goes on to Express's router. */
function serveApi(
  routes: readonly Route[],
  serving: Serving,
  { newId, logger, onAnswered }: GatewayOptions,
): RequestHandler {
  const find = createRouteTable(routes.map((route) => [route.path, serve(route, serving)] as const))
  return (req, res, next) => {
    const exchange = openExchange(req, serving.clock, newId)
    res.locals.exchange = exchange
    observeAnswer(exchange, res, { logger, onAnswered })
    checkTarget(req, exchange)
    const found = find(exchange.path)
    if (found) return found.value(res, exchange, found.parameters)
    // The router gets the path alone: the query is the gateway's own matter.
    req.url = exchange.path.replaceAll('#', '%23')
    next()
  }
}

function endWithProblem(serving: Serving): ErrorRequestHandler {
  return (error, _req, res, _next) => sendProblem(res, res.locals.exchange, error, serving)
}
