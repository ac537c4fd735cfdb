import type { IncomingMessage } from 'node:http'
import express, { type Express } from 'express'
import type { ApiKeys } from '../shared/api-keys/serving/api-keys.ts'
import { knownCaller } from '../shared/api-keys/serving/find-caller.ts'
import type { MemoryBudget } from '../shared/budget/budget.ts'
import { startFairly } from '../shared/calls/fair-starts.ts'
import { createKeyLanes, createLanes, type KeyLanes } from '../shared/calls/lanes.ts'
import { closeWhenStalled } from '../shared/runtime/http/close-when-stalled.ts'
import { ownHosts } from '../shared/runtime/http/own-hosts.ts'
import type { Readiness } from '../shared/runtime/process/readiness.ts'
import type { WatchedCertificates } from '../shared/runtime/tls/watch-certificates.ts'
import { createFeed, type Feed } from './events/feed.ts'
import { beginReading } from './http/body.ts'
import { addressOf } from './http/client-address.ts'
import { type End, endTogether } from './http/end-together.ts'
import { checkTarget, type Exchange, openExchange } from './http/exchange.ts'
import { type AnswerObserver, observeAnswer } from './http/observe-answer.ts'
import { sendProblem } from './http/respond.ts'
import { createLimits, type LimitsOptions } from './limits.ts'
import { ProblemError } from './problem.ts'
import { allRoutes } from './routes/all.ts'
import type { Serving } from './routes/answer-request.ts'
import type { RouteDependencies } from './routes/dependencies.ts'
import { type AnyRoute, servePublic } from './routes/public.ts'
import { createRouteTable } from './routes/route-table.ts'
import { type Handler, serve } from './routes/serve.ts'
import { createGatewayServer, type GatewayServer, type Timeouts } from './server.ts'

/** Everything the gateway needs. It doesn't know whether the services are in this process or behind a transport. */
export interface GatewayOptions extends Omit<RouteDependencies, 'feed'>, LimitsOptions, AnswerObserver {
  readonly apiKeys: ApiKeys
  /** Shared by everything in the process that callers reach. */
  readonly budget: MemoryBudget
  /** Given where gRPC calls share them. */
  readonly lanes?: KeyLanes
  /** Proxies whose X-Forwarded-For is trusted: addresses, ranges, or Express's names for ranges (`loopback`). */
  readonly trustedProxies: readonly string[]
  readonly maxConnections: number
  readonly timeouts?: Partial<Timeouts>
  /** undefined: plain HTTP. */
  readonly tls?: WatchedCertificates | undefined
}

/** Creates the gateway, not listening yet. Once `stop` is called, `/readyz` answers 503. */
export function createGateway(options: GatewayOptions): GatewayServer & { readonly feed: Feed } {
  const timeouts = { ...TIMEOUTS, ...options.timeouts }
  const endAtOnce: End = (res, body) => {
    res.end(body)
    // Usually the system has taken all of it.
    if (res.socket?.writableLength) closeWhenStalled(res, timeouts.stalled)
  }
  let stopping = false
  const { readiness } = options
  const feed = createFeed(options)
  const serving: Serving = {
    dependencies: { ...options, feed, readiness: async () => (stopping ? STOPPING : await readiness()) },
    apiKeys: options.apiKeys,
    limits: createLimits(options),
    clock: options.clock,
    logger: options.logger,
    end: endTogether(endAtOnce),
    endAtOnce,
    budget: options.budget,
    chunkLanes: createLanes(1),
    lanes: options.lanes ?? createKeyLanes(options.rateLimitPerSecond),
    stalledMilliseconds: timeouts.stalled,
    deadlineMilliseconds: timeouts.service,
    bodyMilliseconds: timeouts.body,
  }
  const app = createApp(options, serving)
  const server = createGatewayServer(app, { ...options, timeouts })
  return {
    feed,
    listen: server.listen,
    async stop(stopOptions) {
      stopping = true
      feed.stop()
      await server.stop(stopOptions)
    },
  }
}

const TIMEOUTS: Timeouts = { service: 5_000, headers: 10_000, body: 20_000, stalled: 20_000 }

/** Reported by `/readyz` while stopping, so that load balancers switch to another gateway. */
const STOPPING: Readiness = { ready: false, missing: ['gateway'] }

function createApp({ onAnswered, ...options }: GatewayOptions, serving: Serving): Express {
  const { dependencies, clock, bodyMilliseconds, logger } = serving
  const isOwnHost = ownHosts(options.pageHosts)
  const handlerOf = (route: AnyRoute): Handler =>
    'methods' in route ? serve(route, serving) : servePublic(route, serving, isOwnHost)
  const find = createRouteTable(allRoutes(dependencies).map((route) => [route.path, handlerOf(route)] as const))
  const app = express()
  app.disable('x-powered-by')
  app.set('trust proxy', options.trustedProxies)
  app.use(async (req, res) => {
    const exchange = openExchange(req, clock)
    res.locals.exchange = exchange
    exchange.arriving = beginReading(req, bodyMilliseconds)
    observeAnswer(exchange, res, { logger, onAnswered })
    const answer = () => {
      checkTarget(req, exchange)
      const found = find(exchange.path)
      if (!found) throw new ProblemError('route_not_found')
      return found.value(res, exchange, found.parameters)
    }
    try {
      await startFairly(starterOf(req, exchange, serving), answer, res)
    } catch (error) {
      // Express would keep the error with the request: as long as an idle connection stays open.
      sendProblem(res, exchange, serving.limits.countRefused(req, exchange, error), serving)
    }
  })
  return app
}

/**
 * The caller that a request's work is counted for: the principal of its key if that is in memory, else its address. Not
 * the key last used on its connection, since proxies send requests of many callers over one.
 */
function starterOf(req: IncomingMessage, { secretHash }: Exchange, { apiKeys }: Serving): string {
  return knownCaller(secretHash, apiKeys)?.principal ?? addressOf(req)
}
