import { isIP } from 'node:net'
import type { MemoryBudget } from '../../budget/budget.ts'
import { listen } from '../http/listen.ts'
import { createServer } from '../http/node-http.ts'
import type { Logger } from '../log/logger.ts'
import { portTaken } from '../process/start-failure.ts'
import { SettingsError } from '../settings/read-settings.ts'
import type { Metrics } from './metrics.ts'

export interface MetricsServerOptions {
  readonly metrics: Metrics
  readonly host: string
  /** METRICS_PORT; 0: a free one. */
  readonly port: number
  /** Host names that are allowed in addition to its own, IP addresses and names without a dot. */
  readonly allowedHosts: readonly string[]
  readonly budget: MemoryBudget
  readonly logger: Logger
}

/**
 * `GET /metrics` without a key, on its own port. A web page can't read it through a name that resolves to this host
 * (DNS rebinding), because such a name has a dot. Throws SettingsError when the port is taken.
 */
export async function startMetricsServer(options: MetricsServerOptions) {
  const { metrics, host, port, allowedHosts, logger } = options
  const isAllowed = ownHosts([host, ...allowedHosts])
  const server = createServer(async (req, res) => {
    if (!isAllowed(req.headers.host ?? '')) {
      res.writeHead(421).end('This host is not one of METRICS_ALLOWED_HOSTS: add it there, or use an IP address.\n')
      return
    }
    if (req.url?.split('?')[0] !== '/metrics' || req.method !== 'GET') {
      res.writeHead(404).end()
      return
    }
    try {
      const { contentType, text } = await metrics.read()
      res.writeHead(200, { 'Content-Type': contentType }).end(text)
    } catch (error) {
      logger.error({ err: error }, 'metrics could not be read')
      res.writeHead(500).end()
    }
  })
  try {
    const listening = await listen(server, host, port)
    return {
      port: listening,
      async stop() {
        server.close()
        server.closeAllConnections()
      },
    }
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== 'EADDRINUSE') throw error
    throw new SettingsError([portTaken('METRICS_PORT', port)])
  }
}

/** Whether a Host header names an IP address, a name without a dot, or one of these. */
function ownHosts(names: readonly string[]): (host: string) => boolean {
  return (host) => {
    const name = host
      .toLowerCase()
      .replace(/:\d*$/, '')
      .replace(/^\[(.*)\]$/, '$1')
    return !name.includes('.') || isIP(name) !== 0 || names.includes(name)
  }
}
