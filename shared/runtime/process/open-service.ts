import { followKafkaSecurity } from '../../adapters/kafka/security.ts'
import { followMongoUrl } from '../../adapters/mongo/connection/followed-url.ts'
import { openMongoDatabase } from '../../adapters/mongo/database.ts'
import { followConfiguredKey } from '../../api-keys/serving/accepted-keys.ts'
import { followKeysOnMongo } from '../../api-keys/serving/on-mongo.ts'
import { countPerSecond } from '../../calls/count-per-second.ts'
import { newUuid } from '../../calls/ids.ts'
import { createKeyLanes } from '../../calls/lanes.ts'
import type { AnyViewDefinition } from '../../event-sourcing/ports/view.ts'
import { type PreferredAppender, preferOneAppender } from '../../event-sourcing/preferred-appender.ts'
import type { ServicePart } from '../../kinds/kind.ts'
import { SERVICES, type ServicesOf } from '../../kinds/services.ts'
import { startGrpcServer } from '../../rpc/server/grpc-server.ts'
import { createHealthReport } from '../../rpc/server/health.ts'
import { waitingServices } from '../../rpc/server/waiting-service.ts'
import { inUrl } from '../http/in-url.ts'
import { openMeasured } from '../metrics/database-metrics.ts'
import { grpcServerMetrics } from '../metrics/grpc-metrics.ts'
import type { ProductionConfig } from '../settings/production.ts'
import { followServiceSecrets } from '../settings/service-proof.ts'
import { watchCertificates } from '../tls/watch-certificates.ts'
import { exitWhenSetBack, REQUEST_GRACE_MILLISECONDS } from './lifecycle.ts'
import { progressLogger, untilReachable, whileReady } from './readiness.ts'
import type { ProcessSurroundings } from './run-process.ts'

/**
 * Starts the gRPC server of a part in its own process, and opens its database as soon as that can be reached. Calls are
 * answered with `unavailable` until `serve` is given the implementations.
 */
export async function openService<Part extends ServicePart>(
  config: ProductionConfig & { readonly port: number },
  name: Part,
  views: readonly AnyViewDefinition[],
  surroundings: ProcessSurroundings,
) {
  const { logger, metrics, budget, atEnd } = surroundings
  const kafkaSecurity = await followKafkaSecurity(config.kafka.security, surroundings)
  const waiting = waitingServices<(typeof SERVICES)[Part]>(SERVICES[name], 'MongoDB')
  const tls = await watchCertificates(config.grpcTlsFiles, surroundings)
  const url = await followMongoUrl(config, surroundings)
  const { grpcHost: host, port, namespace, viewsFolder } = config
  const health = createHealthReport({ serving: false })
  let appender: PreferredAppender | undefined
  /** Whether writes are fastest through this process. */
  const appends = (): boolean => appender?.isThisProcess() ?? false
  const onCall = grpcServerMetrics(metrics)
  const configured = await followConfiguredKey(config, surroundings)
  const keys = followKeysOnMongo({ namespace, mongoUrl: url, viewsFolder, configured }, logger)
  atEnd(() => keys.close())
  const secrets = await followServiceSecrets(config.serviceProof, surroundings)
  if (secrets().length === 0) logger.warn(CERTIFICATES_ALONE)
  const { rateLimitPerSecond } = config
  const limits = { countKey: countPerSecond(rateLimitPerSecond), lanes: createKeyLanes(rateLimitPerSecond) }
  const access = { apiKeys: keys.apiKeys, secrets, ...limits }
  const serving = { host, port, services: waiting.services, access, budget, health, appends, tls, onCall, logger }
  const server = await startGrpcServer(serving)
  const mongo = { url, name: `${namespace}_${name}`, views, viewsFolder, buildsViews: 'at-start' } as const
  const onSetBack = exitWhenSetBack(logger, mongo.name)
  const database = await openMeasured(metrics, {
    service: name,
    views,
    open: (onBatch) =>
      untilReachable(() => openMongoDatabase({ ...mongo, onBatch, onSetBack, onProgress: progressLogger(logger) }), {
        what: 'MongoDB',
        logger,
      }),
  })
  atEnd(() => database.close())
  appender = preferOneAppender({ database, holder: newUuid() })
  return {
    database,
    health,
    appends,
    /** How to reach topics. */
    kafka: { ...config.kafka, security: kafkaSecurity.current, logger },
    /** The certificates of this process's gRPC. */
    tls,
    secrets,
    /** The name of a key; see Enveloper. */
    nameOf: keys.apiKeys.nameOf,
    /**
     * From now on, calls are answered. When the process ends, it first stops being the preferred appender; then the
     * server stops, before anything that calls in progress need.
     */
    serve(implementations: ServicesOf<(typeof SERVICES)[Part]>) {
      waiting.answerWith(implementations)
      health.set('', whileReady({ name: 'MongoDB', check: () => database.checkWritable() }))
      atEnd(() => server.stop(REQUEST_GRACE_MILLISECONDS))
      atEnd(() => appender?.stop())
      return { address: `${inUrl(host)}:${server.port}` }
    },
  }
}

const CERTIFICATES_ALONE =
  'any client with a certificate signed by GRPC_TLS_CA_FILE can call without an API key, in anyone’s name: also set SERVICE_SECRET, unless only Mint’s own processes have such a certificate'
