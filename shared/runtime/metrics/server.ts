import { once } from 'node:events'
import type * as http from 'node:http'
import type { AddressInfo, Socket } from 'node:net'
import { sharingRuns } from '../../async/shared-runs.ts'
import type { MemoryBudget } from '../../budget/budget.ts'
import { makeWithin } from '../../budget/make-within.ts'
import { CodedError } from '../../calls/errors.ts'
import { createServer, IncomingMessage, ServerResponse } from '../http/node-http.ts'
import { ownHosts } from '../http/own-hosts.ts'
import type { Logger } from '../log/logger.ts'
import { explainFailure } from '../process/start-failure.ts'
import { SettingsError } from '../settings/read-settings.ts'
import type { Metrics } from './metrics.ts'

export interface MetricsServerOptions {
  readonly metrics: Metrics
  readonly host: string
  /** METRICS_PORT; 0: any free port. */
  readonly port: number
  /** Host names that are allowed in addition to its own, IP addresses and names without a dot. */
  readonly allowedHosts: readonly string[]
  readonly budget: MemoryBudget
  readonly logger: Logger
  /** How long a caller may pause in sending its request or reading the answer; Node may need twice that to notice. */
  readonly stalledMilliseconds?: number
}

/** More than a process has scrapers. Beyond this, a new connection displaces the oldest. */
const MAX_CONNECTIONS = 64
/** How long an answer waits for room in its address's share of the budget. */
const WAITING_MILLISECONDS = 1_000
/** More than the metrics of any process take. */
const MAX_BYTES = 64 * 1024

/**
 * Serves `GET /metrics` without a key, on its own port, once per connection. A web page can't read it through a name
 * that resolves to this host (DNS rebinding), because such a name has a dot. Throws SettingsError when it can't
 * listen on the port.
 */
export async function startMetricsServer(options: MetricsServerOptions) {
  const { metrics, host, port, allowedHosts, budget, logger, stalledMilliseconds = 20_000 } = options
  const isAllowed = ownHosts([host, ...allowedHosts])
  /** The open connections, oldest first. */
  const connections = new Set<Socket>()
  const readings = sharingRuns(metrics.read)
  const read = (address: string) =>
    makeWithin({
      share: budget.ofAddress(address),
      maxBytes: MAX_BYTES,
      milliseconds: WAITING_MILLISECONDS,
      make: readings.join,
      bytesOf: ({ text }) => text.length,
    })

  async function answer(req: http.IncomingMessage, res: http.ServerResponse): Promise<void> {
    if (!isAllowed(req.headers.host ?? '')) {
      res.writeHead(421).end('This host is not one of METRICS_ALLOWED_HOSTS: add it there, or use an IP address.\n')
      return
    }
    if (req.url?.split('?')[0] !== '/metrics' || req.method !== 'GET') {
      res.writeHead(404).end()
      return
    }
    try {
      const { made, charge } = await read(req.socket.remoteAddress ?? '')
      if (req.socket.destroyed) charge.release()
      else req.socket.once('close', () => charge.release())
      res.writeHead(200, { 'Content-Type': made.contentType }).end(made.text)
    } catch (error) {
      const isOverload = error instanceof CodedError
      if (!isOverload) logger.error({ err: error }, 'metrics could not be read')
      res.writeHead(isOverload ? 503 : 500).end()
    }
  }

  const server = createServer({ IncomingMessage: OnlyRequest })
  server.on('connection', (socket) => {
    connections.add(socket)
    socket.once('close', () => connections.delete(socket))
    const [oldest] = connections
    if (connections.size > MAX_CONNECTIONS && oldest) {
      connections.delete(oldest)
      oldest.destroy()
    }
    socket.setTimeout(stalledMilliseconds, () => socket.destroy())
  })
  server.on('upgrade', (req, socket: Socket) => {
    // Node no longer listens to it.
    socket.on('error', () => socket.destroy())
    const res = new ServerResponse(req)
    res.shouldKeepAlive = false
    res.assignSocket(socket)
    res.once('finish', () => socket.destroySoon())
    void answer(req, res)
  })
  try {
    await once(server.listen(port, host), 'listening')
    return {
      port: (server.address() as AddressInfo).port,
      async stop() {
        server.close()
        for (const socket of connections) socket.destroy()
      },
    }
  } catch (error) {
    throw new SettingsError(explainFailure(error, 'METRICS_PORT'))
  }
}

/**
 * Node's parser turns everything it has read into requests, thousands at a time, and stops only after one that upgrades
 * its connection. So every request claims to be an upgrade: what follows it is never parsed, and no more is read.
 */
class OnlyRequest extends IncomingMessage {
  get upgrade(): boolean {
    return true
  }

  set upgrade(_: boolean) {
    // Ignored: Node sets it according to the headers.
  }
}
