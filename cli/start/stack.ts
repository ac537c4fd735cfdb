import { randomBytes } from 'node:crypto'
import { createGateway } from '../../gateway/app.ts'
import { openSignIn } from '../../gateway/sign-in/sign-in.ts'
import { openWebhooks } from '../../gateway/webhooks/open.ts'
import { followConfiguredKey } from '../../shared/api-keys/serving/accepted-keys.ts'
import { createFirstKey, openKeys } from '../../shared/api-keys/serving/open.ts'
import { countPerSecond } from '../../shared/calls/count-per-second.ts'
import { createKeyLanes } from '../../shared/calls/lanes.ts'
import { createStatusService } from '../../shared/operations/status-service.ts'
import { inUrl } from '../../shared/runtime/http/in-url.ts'
import type { Logger } from '../../shared/runtime/log/logger.ts'
import { grpcServerMetrics } from '../../shared/runtime/metrics/grpc-metrics.ts'
import { httpMetrics } from '../../shared/runtime/metrics/http-metrics.ts'
import { REQUEST_GRACE_MILLISECONDS } from '../../shared/runtime/process/lifecycle.ts'
import { createReadiness } from '../../shared/runtime/process/readiness.ts'
import { type ProcessSurroundings, serveMetrics } from '../../shared/runtime/process/run-process.ts'
import { relayOf } from '../../shared/runtime/settings/topic-names.ts'
import { thisProcess } from '../../shared/runtime/this-process.ts'
import { watchCertificates } from '../../shared/runtime/tls/watch-certificates.ts'
import { gatewayViews } from '../../shared/webhooks/view.ts'
import type { Admin } from '../admin/operations.ts'
import type { Parts, ProcessStatus } from '../admin/parts.ts'
import { startAdminServer } from '../admin/remote/server.ts'
import type { EmbeddedConfig } from './config.ts'
import type { DataFolder } from './data-folder.ts'
import { servicesOverGrpc, startGrpcServers } from './grpc.ts'
import { LOOPBACK } from './ports.ts'
import { LEASE_MILLISECONDS, startServices } from './services.ts'
import { sealingIn } from './webhook-key.ts'

export type RunningStack = Awaited<ReturnType<typeof startStack>>

/**
 * Starts all of Mint in this process. Rejects if a port is taken. `newKey` is the secret of an API key that this start
 * created.
 */
export async function startStack(config: EmbeddedConfig, data: DataFolder, surroundings: ProcessSurroundings) {
  const { gateway, requireKnownClient, dataFolder } = config
  const { logger, metrics, budget, atEnd } = surroundings
  const clock = Date.now
  const tls = await watchCertificates(gateway.tlsFiles, surroundings)
  const grpcTls = await watchCertificates(gateway.grpcTlsFiles, surroundings)
  const configured = await followConfiguredKey(gateway, surroundings)
  const keys = openKeys({ opening: Promise.resolve(data.gateway), configured, clock, logger })
  atEnd(() => keys.stop())
  const { apiKeys } = keys
  const services = await startServices({ data, clock, requireKnownClient, nameOf: apiKeys.nameOf, logger, metrics })
  atEnd(() => services.stop())
  const metricsUrl = await serveMetrics({ ...gateway, host: LOOPBACK }, surroundings)
  // For REST and gRPC together.
  const countKey = countPerSecond(gateway.rateLimitPerSecond)
  const lanes = createKeyLanes(gateway.rateLimitPerSecond)
  // Never leaves this process: no other one is part of this Mint.
  const secret = randomBytes(32).toString('hex')
  const secrets = () => [secret]
  const overGrpc = { tls: grpcTls, logger, atEnd }
  // REST stops first, and leaves the rest of it to gRPC.
  let grace = REQUEST_GRACE_MILLISECONDS
  const grpc = await startGrpcServers(services.parts, config, {
    ...overGrpc,
    graceMilliseconds: () => grace,
    access: { apiKeys, secrets, countKey, lanes },
    budget,
    onCall: grpcServerMetrics(metrics),
  })
  const remote = config.transport === 'grpc' ? servicesOverGrpc(grpc, { ...overGrpc, secrets }) : undefined
  const common = { tls, apiKeys, budget, countKey, clock, logger }
  const sealing = sealingIn(dataFolder, gateway.webhookKey)
  const webhooks = openWebhooks({
    feed: () => rest.feed,
    sealing,
    allowedNetworks: gateway.webhookNetworks,
    holder: 'embedded',
    leaseMilliseconds: LEASE_MILLISECONDS,
    logger,
    metrics,
  })
  const rest = createGateway({
    ...webhooks,
    ...gateway,
    ...common,
    // No `lanes` here if REST calls over gRPC: a read would wait for itself.
    ...(remote ?? { ...services, lanes }),
    ...ofGateway(data, { clock, logger }),
    keyAdministration: keys.administration,
    signIn: await openSignIn(gateway.signInConfig, surroundings),
    onAnswered: httpMetrics(metrics),
  })
  const port = await rest.listen(gateway.host, gateway.port)
  webhooks.start(data.gateway)
  const { drainMilliseconds } = gateway
  atEnd(async () => {
    const servesUntil = performance.now() + drainMilliseconds
    await rest.stop({ drainMilliseconds, graceMilliseconds: grace })
    grace -= performance.now() - servesUntil
  })
  atEnd(webhooks.stop)
  const url = `${tls ? 'https' : 'http'}://${inUrl(gateway.host)}:${port}`
  const addresses = { REST: url, ...grpc, metrics: metricsUrl }
  const admin = adminOf({ ...data, sealing, webhooksByHttp: webhooks.webhooksByHttp }, dataFolder, addresses)
  const administration = await startAdminServer(dataFolder, admin, { logger })
  atEnd(() => administration.stop())
  // Created once every port is ours: the key is shown only once, and must not be lost to a start that fails.
  const newKey = gateway.apiKey !== undefined ? undefined : await createFirstKey(keys.administration())
  return { addresses, newKey }
}

/** Status and readiness: everything the gateway needs is in this process, so it is ready while its databases accept writes. */
function ofGateway(data: DataFolder, { clock, logger }: { readonly clock: () => number; readonly logger: Logger }) {
  return {
    gatewayStatus: createStatusService({ database: () => data.gateway, views: gatewayViews, clock, logger }),
    readiness: createReadiness(
      [
        { name: 'contracts', check: () => data.contracts.checkWritable() },
        { name: 'businesses', check: () => data.businesses.checkWritable() },
        { name: 'keys', check: () => data.gateway.checkWritable() },
      ],
      { logger },
    ),
  }
}

/** Loads the administration of this process's data on demand, because it is rarely used. */
function adminOf(
  data: DataFolder & Pick<Parts, 'sealing' | 'webhooksByHttp'>,
  dataFolder: string,
  addresses: NonNullable<ProcessStatus['addresses']>,
) {
  const delivered = () => data.businesses.checkpoints.read(relayOf('businesses'))
  const own = { name: 'mint', ...thisProcess, addresses }
  const parts = { ...data, relayRuns: true, relays: ['businesses'], process: own, delivered } as const
  return async (): Promise<Admin> => {
    const { directAdmin } = await import('../admin/operations.ts')
    const { verifyInThread } = await import('../admin/verify/verify-thread.ts')
    return directAdmin(parts, {
      verify: async function* (_parts, _input, report) {
        yield* verifyInThread(dataFolder, await delivered(), report)
      },
    })
  }
}
