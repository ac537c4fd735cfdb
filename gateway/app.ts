import type { RequestListener, ServerOptions } from 'node:http'
import express, { type ErrorRequestHandler, type Express, type RequestHandler } from 'express'
import { listen } from '../shared/http-server.ts'
import type { Logger } from '../shared/logger.ts'
import type { AnsweredRequest } from '../shared/metrics/http-metrics.ts'
import { createServer } from '../shared/node-http.ts'
import type { Readiness } from '../shared/process/readiness.ts'
import type { ApiKeys } from './auth/api-keys.ts'
import { createRecentSecrets } from './auth/recent-secrets.ts'
import { bornForExpress } from './born-for-express.ts'
import { answerConnectionErrors } from './http/connection-errors.ts'
import { trackConnections } from './http/connections.ts'
import { type End, endTogether } from './http/end-together.ts'
import { checkTarget, MAX_HEADERS, openExchange } from './http/exchange.ts'
import { inTurn } from './http/in-turn.ts'
import { observeAnswer } from './http/observe-answer.ts'
import { sendProblem } from './http/respond.ts'
import { type StopOptions, stopServing } from './http/stop-serving.ts'
import { createUnsentAnswers } from './http/unsent.ts'
import { createLimits } from './limits.ts'
import { ProblemError } from './problem.ts'
import { allRoutes, type RouteDependencies } from './routes/all.ts'
import type { Route } from './routes/endpoint.ts'
import { servePublic } from './routes/public.ts'
import { createRouteTable } from './routes/route-table.ts'
import { type Serving, serve } from './routes/serve.ts'

/** Everything the gateway needs. It doesn't know whether the services are in this process or behind a transport. */
export interface GatewayOptions extends RouteDependencies {
  readonly apiKeys: ApiKeys
  readonly rateLimitPerSecond: number
  /** For each address without a valid key, and on public paths. */
  readonly publicRateLimitPerSecond: number
  /** Proxies whose X-Forwarded-For is believed: addresses, ranges, or Express' names for some (`loopback`). */
  readonly trustedProxies: readonly string[]
  readonly maxConnections: number
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
  /** For a caller to take more of his answer. */
  readonly stalled: number
}

/** A gateway that can be reached as soon as it listens. */
export interface Gateway {
  /** Answers the port (another one than asked for when that was 0). Rejects with the system's error. */
  listen(host: string, port: number): Promise<number>
  /**
   * From now on `/readyz` answers 503 and every answer is the last of its connection; see stopServing for what comes
   * after that.
   */
  stop(options: StopOptions): Promise<void>
}

/** The gateway, not listening yet. */
export function createGateway(options: GatewayOptions): Gateway {
  const timeouts = { ...TIMEOUTS, ...options.timeouts }
  const recentSecrets = createRecentSecrets()
  const unsent = createUnsentAnswers(timeouts.stalled)
  const endAtOnce: End = (res, body) => {
    res.end(body)
    unsent.watch(res)
  }
  const serving: Serving = {
    apiKeys: options.apiKeys,
    recentSecrets,
    limits: createLimits({ ...options, recentSecrets }),
    clock: options.clock,
    logger: options.logger,
    end: endTogether(endAtOnce),
    endAtOnce,
    unsent,
    deadlineMilliseconds: timeouts.service,
    bodyMilliseconds: timeouts.body,
  }
  let stopping = false
  const { readiness } = options
  const app = createApp({ ...options, readiness: async () => (stopping ? STOPPING : await readiness()) }, serving)
  const server = createServer({ ...serverOptions(timeouts), ...bornForExpress(app) })
  // One more than are served: dropping the rest bounds their memory, and that there are too many still shows.
  server.maxHeadersCount = MAX_HEADERS + 1
  const connections = trackConnections(server, options.maxConnections)
  const serve = inTurn(connections, app)
  const listener: RequestListener = (req, res) => {
    if (stopping) res.shouldKeepAlive = false
    serve(req, res)
  }
  // Without the last two Node answers `Expect` by itself; the body is asked for only once the checks before it passed.
  for (const event of ['request', 'checkContinue', 'checkExpectation']) server.on(event, listener)
  server.on('close', recentSecrets.stop)
  answerConnectionErrors(server, connections, options.newId)
  return {
    listen: (host, port) => listen(server, host, port),
    async stop(stopOptions) {
      stopping = true
      for (const { current, waiting } of connections.all()) {
        for (const res of [current, ...waiting.map((request) => request.res)]) if (res) res.shouldKeepAlive = false
      }
      await stopServing(server, connections, stopOptions)
    },
  }
}

const TIMEOUTS: Timeouts = { service: 5_000, headers: 10_000, body: 20_000, stalled: 20_000 }

/** The gateway itself: whoever spreads requests looks for another one. */
const STOPPING: Readiness = { ready: false, missing: ['gateway'] }

function serverOptions(timeouts: Timeouts): ServerOptions {
  return {
    headersTimeout: timeouts.headers,
    // Only for bodies that nobody reads: the gateway answers a slow one before.
    requestTimeout: timeouts.headers + 2 * timeouts.body,
    connectionsCheckingInterval: Math.min(1_000, timeouts.headers / 2),
    // Longer than the 60 s of load balancers: the side that may still send must be the first to close.
    keepAliveTimeout: 75_000,
    requireHostHeader: false,
  }
}

function createApp(options: GatewayOptions, serving: Serving): Express {
  const { withKey, withoutKey } = allRoutes(options)
  const app = express()
  app.disable('x-powered-by').disable('etag').enable('case sensitive routing').enable('strict routing')
  app.set('query parser', false)
  app.set('trust proxy', options.trustedProxies)
  app.use(serveApi(withKey, serving, options))
  for (const route of withoutKey) app.route(route.path).all(servePublic(route, serving))
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
  return async (error, req, res, _next) => {
    const { exchange } = res.locals
    sendProblem(res, exchange, await serving.limits.countRefused(req, exchange, error), serving)
  }
}
