import type { RequestListener, ServerResponse } from 'node:http'
import type { Logger } from '../shared/logger.ts'
import type { AnsweredRequest } from '../shared/metrics/http-metrics.ts'
import type { Readiness } from '../shared/process/readiness.ts'
import type { ApiKeys } from './auth/api-keys.ts'
import { beginReading } from './http/body.ts'
import { type End, endTogether } from './http/end-together.ts'
import { checkTarget, type Exchange, openExchange } from './http/exchange.ts'
import { observeAnswer } from './http/observe-answer.ts'
import { sendProblem } from './http/respond.ts'
import { createUnsentAnswers } from './http/unsent.ts'
import { createLimits } from './limits.ts'
import { ProblemError } from './problem.ts'
import { allRoutes, type RouteDependencies } from './routes/all.ts'
import { servePublic } from './routes/public.ts'
import { createRouteTable } from './routes/route-table.ts'
import { type Serving, serve } from './routes/serve.ts'
import { createGatewayServer, type GatewayServer, type Timeouts } from './server.ts'

/** Everything the gateway needs. It doesn't know whether the services are in this process or behind a transport. */
export interface GatewayOptions extends RouteDependencies {
  readonly apiKeys: ApiKeys
  readonly rateLimitPerSecond: number
  /** For each address without a valid key, and on public paths. */
  readonly publicRateLimitPerSecond: number
  /** Proxies whose X-Forwarded-For is believed: addresses, ranges, or proxy-addr's names for some (`loopback`). */
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

/** The gateway, not listening yet. From the call of `stop` on `/readyz` answers 503. */
export function createGateway(options: GatewayOptions): GatewayServer {
  const timeouts = { ...TIMEOUTS, ...options.timeouts }
  const unsent = createUnsentAnswers(timeouts.stalled)
  const endAtOnce: End = (res, body) => {
    res.end(body)
    unsent.watch(res)
  }
  const serving: Serving = {
    apiKeys: options.apiKeys,
    limits: createLimits(options),
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
  const served = { ...options, readiness: async () => (stopping ? STOPPING : await readiness()) }
  const server = createGatewayServer(serveRequests(served, serving), { ...options, timeouts })
  return {
    listen: server.listen,
    async stop(stopOptions) {
      stopping = true
      await server.stop(stopOptions)
    },
  }
}

const TIMEOUTS: Timeouts = { service: 5_000, headers: 10_000, body: 20_000, stalled: 20_000 }

/** The gateway itself: whoever spreads requests looks for another one. */
const STOPPING: Readiness = { ready: false, missing: ['gateway'] }

/** Serves requests: whatever goes wrong with one is answered as a problem. */
function serveRequests(options: GatewayOptions, serving: Serving): RequestListener {
  const { newId, logger, onAnswered } = options
  const { withKey, withoutKey } = allRoutes(options)
  const find = createRouteTable([
    ...withKey.map((route) => [route.path, serve(route, serving)] as const),
    ...withoutKey.map((route) => [route.path, servePublic(route, serving)] as const),
  ])

  async function answer(res: ServerResponse, exchange: Exchange): Promise<void> {
    try {
      checkTarget(res.req, exchange)
      const found = find(exchange.path)
      if (!found) throw new ProblemError('route_not_found')
      await found.value(res, exchange, found.parameters)
    } catch (error) {
      sendProblem(res, exchange, await serving.limits.countRefused(res.req, exchange, error), serving)
    }
  }

  return (req, res) => {
    const exchange = openExchange(req, serving.clock, newId)
    exchange.arriving = beginReading(req, serving.bodyMilliseconds)
    observeAnswer(exchange, res, { logger, onAnswered })
    answer(res, exchange).catch((error) => {
      logger.error({ err: error, requestId: exchange.requestId }, 'could not answer at all')
      res.destroy()
    })
  }
}
