import { createGateway } from '../../gateway/app.ts'
import type { ApiKeys } from '../../gateway/auth/api-keys.ts'
import { firstKey, readFirstKey } from '../../gateway/auth/first-key.ts'
import { configuredKey, staticApiKeys } from '../../gateway/auth/static-api-keys.ts'
import { closeGracefully, listen } from '../../shared/http-server.ts'
import { newRequestId, newUuid } from '../../shared/ids.ts'
import { REQUEST_GRACE_MILLISECONDS } from '../../shared/lifecycle.ts'
import type { Logger } from '../../shared/logger.ts'
import { httpMetrics } from '../../shared/metrics/http-metrics.ts'
import type { Metrics } from '../../shared/metrics/metrics.ts'
import { startMetricsServer } from '../../shared/metrics/server.ts'
import { createReadiness, type ReadinessCheck } from '../../shared/readiness.ts'
import { startAdministration } from './administration.ts'
import type { EmbeddedConfig } from './config.ts'
import type { DataFolder } from './data-folder.ts'
import { LOOPBACK, servicesOverGrpc, startGrpcServers } from './grpc.ts'
import { startServices } from './services.ts'

export interface RunningStack {
  /** Of the REST API, for example `http://127.0.0.1:8080`. */
  readonly url: string
  readonly contractsAddress: string
  readonly businessesAddress: string
  /** Where Prometheus reads, for example `http://127.0.0.1:9464/metrics`. */
  readonly metricsUrl: string
  /** The API key's secret, only when it was made by this start. */
  readonly newKey: string | undefined
  /** Finishes what is under way; the data folder stays open. */
  stop(): Promise<void>
}

/** All of Mint in this process: both services, their gRPC servers, and the gateway. Rejects when a port is taken. */
export async function startStack(
  config: EmbeddedConfig,
  data: DataFolder,
  { logger, metrics }: { readonly logger: Logger; readonly metrics: Metrics },
): Promise<RunningStack> {
  const { gateway } = config
  const ends = new AsyncDisposableStack()
  const stop = () => ends.disposeAsync()
  try {
    const clock = Date.now
    const { requireKnownClient } = config
    const services = await startServices({ data, clock, requireKnownClient, logger, metrics })
    ends.defer(() => services.stop())
    const measures = await startMetricsServer({ metrics, host: LOOPBACK, port: gateway.metricsPort, logger })
    ends.defer(() => measures.stop())
    const grpc = await startGrpcServers(services, { ...config, logger })
    ends.defer(() => grpc.stop(REQUEST_GRACE_MILLISECONDS))
    const remote = config.transport === 'grpc' ? servicesOverGrpc(grpc) : undefined
    if (remote) ends.defer(() => remote.close())
    // The key is made once every port is ours: a start that fails must not use up the one time that it is shown.
    const keys = Promise.withResolvers<ApiKeys>()
    const server = createGateway({
      ...(remote ?? services),
      apiKeys: { find: async (sha256) => (await keys.promise).find(sha256) },
      rateLimitPerSecond: gateway.rateLimitPerSecond,
      clock,
      newId: newRequestId,
      logger,
      readiness: createReadiness(writable(data)),
      onAnswered: httpMetrics(metrics),
    })
    const port = await listen(server, gateway.host, gateway.port)
    ends.defer(() => closeGracefully(server, REQUEST_GRACE_MILLISECONDS))
    const administration = await startAdministration({ folder: config.dataFolder, data, services, logger })
    ends.defer(() => administration.stop())
    const { apiKeys, newKey } = openKeys(config)
    keys.resolve(apiKeys)
    const { contractsAddress, businessesAddress } = grpc
    const url = `http://${inUrl(gateway.host)}:${port}`
    const metricsUrl = `http://${LOOPBACK}:${measures.port}/metrics`
    return { url, contractsAddress, businessesAddress, metricsUrl, newKey, stop }
  } catch (error) {
    await stop()
    throw error
  }
}

/** The configured key and the one in the folder; when there is neither, one is made. */
function openKeys({ gateway, dataFolder }: EmbeddedConfig): { apiKeys: ApiKeys; newKey: string | undefined } {
  if (gateway.apiKey !== undefined) {
    const kept = readFirstKey(dataFolder)
    const keys = [configuredKey(gateway.apiKey), ...(kept ? [kept] : [])]
    return { apiKeys: staticApiKeys(keys), newKey: undefined }
  }
  const { key, secret } = firstKey({ folder: dataFolder, clock: Date.now, newId: newUuid })
  return { apiKeys: staticApiKeys([key]), newKey: secret }
}

/** All that the gateway needs is in this process: it is ready as long as its databases take writes. */
function writable({ contracts, businesses, gateway }: DataFolder): readonly ReadinessCheck[] {
  return [
    { name: 'contracts', check: () => contracts.checkWritable() },
    { name: 'businesses', check: () => businesses.checkWritable() },
    { name: 'keys', check: () => gateway.checkWritable() },
  ]
}

/** A host as it can be called: `0.0.0.0` and `::` listen everywhere, this machine included. */
function inUrl(host: string): string {
  if (host === '0.0.0.0') return '127.0.0.1'
  if (host === '::') return '[::1]'
  return host.includes(':') ? `[${host}]` : host
}
