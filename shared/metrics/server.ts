import { listen } from '../http-server.ts'
import type { Logger } from '../logger.ts'
import { createServer } from '../node-http.ts'
import { portTaken } from '../process/start-failure.ts'
import { SettingsError } from '../settings/read-settings.ts'
import type { Metrics } from './metrics.ts'

export interface MetricsServerOptions {
  readonly metrics: Metrics
  readonly host: string
  /** METRICS_PORT; 0: a free one. */
  readonly port: number
  readonly logger: Logger
}

/** `GET /metrics` without a key, on a port of its own. Throws SettingsError when that is taken. */
export async function startMetricsServer(options: MetricsServerOptions) {
  const { metrics, host, port, logger } = options
  const server = createServer(async (req, res) => {
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
