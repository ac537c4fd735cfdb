import type { RequestListener, Server, ServerOptions } from 'node:http'
import type { Socket } from 'node:net'
import { TLSSocket } from 'node:tls'
import type { Express, Request, Response } from 'express'
import type { MemoryBudget } from '../shared/budget/budget.ts'
import { createServer } from '../shared/runtime/http/node-http.ts'
import { type Listening, listen } from '../shared/runtime/listen.ts'
import type { Logger } from '../shared/runtime/log/logger.ts'
import { affordableConnections } from '../shared/runtime/process/affordable-connections.ts'
import type { WatchedCertificates } from '../shared/runtime/tls/watch-certificates.ts'
import { expressClasses } from './express-classes.ts'
import { answerConnectionErrors } from './http/connection-errors.ts'
import { type Connections, createConnections } from './http/connections.ts'
import { MAX_HEADERS } from './http/exchange.ts'
import { createTurns } from './http/in-turn.ts'
import { type StopOptions, stopServing } from './http/stop-serving.ts'
import { originForm } from './http/target.ts'

/** All in milliseconds. */
export interface Timeouts {
  /** For a service to answer. */
  readonly service: number
  /** For the headers of a request to arrive. */
  readonly headers: number
  /** For its body to arrive. */
  readonly body: number
  /** For a caller to take more of an answer. */
  readonly stalled: number
}

export interface GatewayServerOptions {
  readonly timeouts: Timeouts
  readonly maxConnections: number
  readonly budget: MemoryBudget
  readonly logger: Logger
  /** undefined: plain HTTP. */
  readonly tls?: WatchedCertificates | undefined
}

/** A server that accepts connections once it listens. */
export type GatewayServer = ReturnType<typeof createGatewayServer>

/** Node's server around the app, with limits on the memory that callers can make it use. */
export function createGatewayServer(app: Express, options: GatewayServerOptions) {
  const connections = createConnections(
    affordableConnections(options.maxConnections, 'MAX_CONNECTIONS', options.logger),
  )
  const serve: RequestListener = (req, res) => {
    req.url = originForm(req.url ?? '')
    // Without this, Express would answer in HTML whatever its handlers leave unanswered.
    app(req as Request, res as Response, (error: unknown) => {
      options.logger.error({ err: error }, 'a request was left unanswered')
      res.destroy()
    })
  }
  const turns = createTurns(connections, serve, options.budget)
  const server = createServer({ ...serverOptions(options.timeouts), ...expressClasses(app, turns) })
  // One more than allowed: dropping the rest bounds memory, and an excess still shows.
  server.maxHeadersCount = MAX_HEADERS + 1
  let listening: Listening | undefined
  let stopping = false
  const listener: RequestListener = (req, res) => {
    if (stopping) res.shouldKeepAlive = false
    turns.take(req, res)
  }
  server.on('connection', connections.accept)
  // Without the last two, Node answers `Expect` itself; the body is requested only once all checks before it have
  // passed.
  for (const event of ['request', 'checkContinue', 'checkExpectation']) server.on(event, listener)
  answerConnectionErrors(server, connections)
  if (options.tls) addTls(server, options.tls)
  return {
    /** Resolves to the port, which the system chooses for 0. Rejects with the system's error. */
    async listen(host: string, port: number): Promise<number> {
      listening = await listen(server, host, port)
      return listening.port
    },
    /** From the call on, each answer is the last on its connection; see stopServing for what follows. */
    async stop(stopOptions: StopOptions) {
      stopping = true
      closeAfterLastAnswer(connections)
      await stopServing(listening, connections, stopOptions)
      // All that is left to stop is Node's timer for slow requests.
      server.close()
    },
  }
}

function serverOptions(timeouts: Timeouts): ServerOptions {
  return {
    headersTimeout: timeouts.headers,
    // Applies only to bodies that nobody reads. The gateway's own time limit for others ends earlier, even if a file
    // first waits for its turn, which may take as long as a body.
    requestTimeout: timeouts.headers + 2 * timeouts.body,
    connectionsCheckingInterval: Math.min(1_000, timeouts.headers / 2),
    // Longer than the 60 s of load balancers: the side that may still send must close first.
    keepAliveTimeout: 75_000,
    requireHostHeader: false,
  }
}

function closeAfterLastAnswer(connections: Connections): void {
  for (const { current, waiting } of connections.all()) {
    const last = waiting.at(-1)?.res ?? current
    if (last) last.shouldKeepAlive = false
  }
}

/**
 * Adds TLS to a server that already has all its listeners. They see each connection from its first byte, so that the
 * limits on connections and on the time for headers cover handshakes too. New connections use the current certificate;
 * open ones stay.
 */
function addTls(server: Server, certificates: WatchedCertificates): void {
  const listeners = server.listeners('connection')
  server.removeAllListeners('connection')
  server.on('connection', (socket: Socket) => {
    const { context: secureContext } = certificates.current()
    const secured = new TLSSocket(socket, { isServer: true, secureContext, ALPNProtocols: ['http/1.1'] })
    for (const listener of listeners) listener.call(server, secured)
  })
}
